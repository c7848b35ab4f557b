import { join } from 'node:path';
import { type OpenProjectOptions, openProject } from '@agent-criteria/project';
import { nameOfRun } from '@agent-criteria/project/runs';
import { createRunListings } from '@agent-criteria/runner';
import { getRequestListener } from '@hono/node-server';
import { findApps } from './apps/find-apps.ts';
import { httpApp } from './http-app.ts';
import { createImports } from './imports/imports.ts';
import { listen } from './listen.ts';
import { loadAdkWeb } from './routes/adk/web-ui.ts';
import { createLiveRuns, drainRuns } from './runs/live-runs.ts';
import { createOpenedRuns } from './runs/opened-runs.ts';
import { createRunColumns } from './runs/run-columns.ts';
import { createSetWatches } from './runs/set-watches.ts';
import { createTrendRuns } from './runs/trend-runs.ts';
import { openSecrets } from './secrets.ts';
import { openAccess } from './security/access-file.ts';
import { keptFolder } from './security/private-folder.ts';
import { createToken } from './security/token.ts';
import { createAgents } from './sessions/agents.ts';
import { openSessionFolder } from './sessions/session-folder.ts';
import { createSessionStore } from './sessions/session-store.ts';
import { createDeletions } from './sets/deletions.ts';
import { createFileLocks } from './sets/file-locks.ts';
import type { Studio } from './studio.ts';
import { createTurnRuns } from './turn-runs/turn-runs.ts';

export interface StudioOptions extends Omit<OpenProjectOptions, 'agent'> {
  /** A folder with agents, or the folder, module or URL of a single agent. Default: the working directory. */
  readonly folder?: string | undefined;
  /** Default: the port of the last start, or else the next free one from 8090. 0 picks any free port. */
  readonly port?: number | undefined;
  /** Folder with ADK's built web UI, to be served below `/dev-ui/`. Default: not served. */
  readonly adkWeb?: string | undefined;
  /**
   * Whether the agent of each module runs in a process of its own, which is replaced when its code changes. `false` is for a
   * debugger that is attached to this process. Default `true`.
   */
  readonly agentProcesses?: boolean | undefined;
  /**
   * The port of 127.0.0.1 for a debugger of the first agent's process, or 0 for a free one; further agents get free ones. The
   * process prints its address. Default: none.
   */
  readonly inspect?: number | undefined;
  /** Whether to admit every program on this machine, for clients that cannot send a token. Default `false`. */
  readonly allowUnauthenticated?: boolean | undefined;
  /** Maximum size of request bodies, in bytes, other than files to import. Default 64 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /** Maximum size of a file to import, in bytes. Default 1 GB. */
  readonly maxImportBytes?: number | undefined;
}

export interface RunningStudio {
  /** Address without the token, such as `http://127.0.0.1:8090`. */
  readonly url: string;
  /** Link that admits the browser in which it is opened. */
  readonly link: string;
  /**
   * Creates a link that admits one browser once, for use in process arguments, which other users of the machine may
   * see.
   */
  oneTimeLink(): string;
  /** Bearer token for programs, or `null` if none is required. It stays the same for 30 days. */
  readonly token: string | null;
  /** Names of the agents. */
  readonly apps: readonly string[];
  /**
   * The config, plugins and `.env` files (with the names of their variables) that were read at startup, and warnings
   * about the config and `.env` files.
   */
  readonly notices: readonly string[];
  /** Cancels runs and waits for units in flight. @returns the names of incomplete runs, for `agent-criteria resume`. */
  drain(): Promise<readonly string[]>;
  /** Ends running turns, and closes the server and the agents' sessions. */
  close(): Promise<void>;
}

/**
 * Starts a studio on 127.0.0.1.
 * @throws CriteriaError if there is no agent or eval set, if the project's config has mistakes (listing all of them),
 * or if the port is taken.
 */
export async function startStudio(options: StudioOptions = {}): Promise<RunningStudio> {
  const {
    folder = '.',
    port: wanted,
    allowUnauthenticated = false,
    agentProcesses = true,
    inspect,
    maxBodyBytes = 64 * 1024 * 1024,
    maxImportBytes = 1_000_000_000,
  } = options;
  const { settings, environment, applyEnvironment, builtIn } = options;
  const projectOptions = { settings, environment, applyEnvironment, builtIn };
  // Before files are applied to it: each agent's process has its own.
  const variables = { ...(environment ?? process.env) };
  const adkWeb = options.adkWeb === undefined ? null : await loadAdkWeb(options.adkWeb);
  const apps = await findApps(folder);
  const project = await openProject({ ...projectOptions, agent: folder });
  const secrets = await openSecrets(project, apps, projectOptions);
  const kept = keptFolder(project.runsFolder);
  const sessions = createSessionStore(apps, openSessionFolder(join(kept, 'sessions'), secrets.mask));
  const agents = createAgents(project, secrets, agentProcesses ? { environment: variables, inspect } : null);
  const access = openAccess(join(kept, 'studio'));
  const notices = [...noticesOf(project), ...access.notices];
  const runs = createLiveRuns(agents);
  const studio: Studio = {
    apps,
    notices,
    projectOptions,
    plugins: project.config.plugins,
    runsFolder: project.runsFolder,
    runListings: createRunListings(project.runsFolder),
    locks: createFileLocks(),
    deletions: createDeletions(),
    mask: secrets.mask,
    agents,
    sessions,
    runs,
    setWatches: createSetWatches({ agents, runs, projectOptions }),
    openedRuns: createOpenedRuns(project),
    trendRuns: createTrendRuns(),
    runColumns: createRunColumns(),
    imports: createImports({ project, variables: secrets.variables, maxBytes: maxImportBytes }),
    turnRuns: createTurnRuns(agents, join(kept, 'turns'), secrets.mask),
  };
  const token = allowUnauthenticated ? null : access.token;
  const codes = new Set<string>();
  const server = await listen(wanted, access.port);
  const { port } = server;
  // A port that only stands in for the usual one, which another program has now, is not for the next start.
  if (wanted !== undefined || access.port === null) access.keepPort(port);
  const { cookie, expiresAt } = access;
  const app = httpApp(studio, { port, token, cookie, expiresAt, codes, maxBodyBytes, adkWeb });
  server.on('request', getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    link: token === null ? `${url}/` : `${url}/?token=${token}`,
    oneTimeLink() {
      if (token === null) return `${url}/`;
      const code = createToken();
      codes.add(code);
      return `${url}/?code=${code}`;
    },
    token,
    apps: apps.map(({ name }) => name),
    notices,
    async drain() {
      // A changed file starts no run any more.
      studio.setWatches.end();
      return (await drainRuns(studio.runs)).map((run) => nameOfRun(run, project));
    },
    async close() {
      await studio.setWatches.close();
      await Promise.all([sessions.close(), studio.turnRuns.close(), studio.imports.close()]);
      await agents.close();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Lists the config, the plugins and the variables from `.env` files, and warnings about the config and those files. */
function noticesOf({ config, environment }: Awaited<ReturnType<typeof openProject>>): readonly string[] {
  const read = environment.files.filter(({ names }) => names.length > 0);
  return [
    ...(config.file === null ? [] : [`config: ${config.file}`]),
    ...(config.plugins.length === 0 ? [] : [`plugins: ${config.plugins.map(({ name }) => name).join(', ')}`]),
    ...read.map(({ file, names }) => `environment: ${names.join(', ')} from ${file}`),
    ...config.warnings.map(({ file, message }) => `warning: ${file === undefined ? '' : `${file}: `}${message}`),
  ];
}
