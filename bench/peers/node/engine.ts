// Says what computes where @bcast/native is loaded; the package itself says on the other stream why it is not machine code.
import { engine } from '@bcast/native'

process.stdout.write(engine)
