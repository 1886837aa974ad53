// What S3 answered, in words, with what to change.
import { ServerError } from './server-error.ts'

const CREDENTIALS = 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'

/** What helps, by the code of the answer. */
const fixes: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: `Check ${CREDENTIALS}.`,
  SignatureDoesNotMatch: `Check ${CREDENTIALS}.`,
  InvalidToken: 'Check AWS_SESSION_TOKEN.',
  ExpiredToken: 'Get new credentials.',
  RequestTimeTooSkewed: 'Set the clock of this machine.',
  AccessDenied: 'Ask for the permission; without that to list, S3 says so of objects that are not there, too.',
}

export class S3Error extends ServerError {
  override name = 'S3Error'
  /** Of the answer, such as NoSuchBucket. */
  readonly reason: string | undefined

  constructor(label: string, problem: string, status?: number, reason?: string, fix?: string) {
    super(label, problem, status, false, fix)
    this.reason = reason
  }

  static of(
    label: string,
    bucket: string,
    response: Response,
    code: string | undefined,
    message: string | undefined,
    isSigned: boolean,
  ): S3Error {
    const { status } = response
    if (code === 'NoSuchBucket') return new S3Error(label, `there is no bucket ${bucket}.`, status, code)
    const region = response.headers.get('x-amz-bucket-region')
    if (region !== null && (status === 301 || status === 400)) {
      return new S3Error(label, `the bucket is in region ${region}.`, status, code, `Set AWS_REGION=${region}.`)
    }
    const said = [code, message].filter((text) => text !== undefined && text !== '').join(': ')
    const problem = `S3 answers ${status}${said === '' ? '' : ` (${said.replace(/\.$/, '')})`}.`
    const isRefused = status === 401 || status === 403
    const unsigned = isRefused && !isSigned ? `There are no credentials; set ${CREDENTIALS}.` : undefined
    return new S3Error(
      label,
      problem,
      status,
      code,
      unsigned ?? fixes[code ?? ''] ?? (isRefused ? fixes['AccessDenied'] : undefined),
    )
  }
}
