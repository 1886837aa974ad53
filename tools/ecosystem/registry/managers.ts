// The package managers: how each runs a command once, adds packages to a project, and runs what they brought.
import path from 'node:path'

export interface Manager {
  readonly name: string
  /** Its own settings: the registry, and caches that begin empty. */
  readonly env: (registry: string, place: string) => NodeJS.ProcessEnv
  /** Runs a command of a package that is not installed. */
  readonly once: readonly string[]
  readonly add: readonly string[]
  /** Runs a command inside a project. */
  readonly execute: readonly string[]
}

const yarn = (name: string, linker: string): Manager => ({
  name,
  env: (registry, place) => ({
    YARN_NPM_REGISTRY_SERVER: registry,
    YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
    YARN_GLOBAL_FOLDER: path.join(place, 'yarn'),
    YARN_NODE_LINKER: linker,
    YARN_ENABLE_TELEMETRY: 'false',
    YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
    YARN_NPM_MINIMAL_AGE_GATE: '0',
  }),
  once: ['yarn', 'dlx', '--quiet'],
  add: ['yarn', 'add'],
  execute: ['yarn', 'exec'],
})

export const managers: readonly Manager[] = [
  {
    name: 'npm',
    env: () => ({}),
    once: ['npx', '--yes'],
    add: ['npm', 'install', '--no-audit', '--no-fund'],
    execute: ['npm', 'exec', '--offline', '--'],
  },
  {
    name: 'pnpm',
    env: (registry, place) => ({
      npm_config_registry: registry,
      npm_config_store_dir: path.join(place, 'store'),
      XDG_CACHE_HOME: path.join(place, 'cache'),
      XDG_DATA_HOME: path.join(place, 'data'),
    }),
    once: ['pnpm', 'dlx'],
    add: ['pnpm', 'add'],
    execute: ['pnpm', 'exec'],
  },
  yarn('yarn', 'node-modules'),
  yarn('yarn-pnp', 'pnp'),
  {
    name: 'bun',
    env: (registry, place) => ({ BUN_CONFIG_REGISTRY: registry, BUN_INSTALL_CACHE_DIR: path.join(place, 'cache') }),
    once: ['bunx'],
    add: ['bun', 'add'],
    execute: ['bunx', '--no-install'],
  },
]
