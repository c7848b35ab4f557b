import { type OpenProjectOptions, openProject } from '@agent-criteria/project';
import { nameOfRun } from '@agent-criteria/project/runs';
import { getRequestListener } from '@hono/node-server';
import { findApps } from './apps/find-apps.ts';
import { httpApp } from './http-app.ts';
import { listen } from './listen.ts';
import { loadAdkWeb } from './routes/adk/web-ui.ts';
import { createLiveRuns, drainRuns } from './runs/live-runs.ts';
import { createOpenedRuns } from './runs/opened-runs.ts';
import { createTrendRuns } from './runs/trend-runs.ts';
import { openSecrets } from './secrets.ts';
import { createToken } from './security/token.ts';
import { createAgents } from './sessions/agents.ts';
import { createSessionStore } from './sessions/session-store.ts';
import { createDeletions } from './sets/deletions.ts';
import { createFileLocks } from './sets/file-locks.ts';
import type { Studio } from './studio.ts';

export interface StudioOptions extends Omit<OpenProjectOptions, 'agent'> {
  /** A folder with agents, or the folder, module or URL of one. Default: the working folder. */
  readonly folder?: string | undefined;
  /** Default: the next free one from 8090 on. 0: any that is free. */
  readonly port?: number | undefined;
  /** The folder of ADK's built web UI, which is then served below `/dev-ui/`. Default: it is not served. */
  readonly adkWeb?: string | undefined;
  /** Lets every program of this machine in, for clients that cannot send a token. Default `false`. */
  readonly allowUnauthenticated?: boolean | undefined;
  /** Bytes that a request may have. Default 64 MiB. */
  readonly maxBodyBytes?: number | undefined;
}

export interface RunningStudio {
  /** Without a token: `http://127.0.0.1:8090`. */
  readonly url: string;
  /** What to open in a browser: it lets this browser in. */
  readonly link: string;
  /** Another link, for the program that opens browsers: it lets one in, once. Other users of the machine may see it among its arguments. */
  oneTimeLink(): string;
  /** What programs send as a bearer token; `null`: none is asked for. */
  readonly token: string | null;
  /** The names of the agents. */
  readonly apps: readonly string[];
  /** What was read at start beside the folder, and what is odd about it. */
  readonly notices: readonly string[];
  /** Lets runs under way come to the end of what they have begun. @returns What `agent-criteria resume` calls those that are incomplete. */
  drain(): Promise<readonly string[]>;
  /** Ends everything. */
  close(): Promise<void>;
}

/**
 * Starts a studio on 127.0.0.1.
 * @throws CriteriaError where there is no agent, with every mistake in the project's config, or for a port that is taken.
 */
export async function startStudio(options: StudioOptions = {}): Promise<RunningStudio> {
  const { folder = '.', port: wanted, allowUnauthenticated = false, maxBodyBytes = 64 * 1024 * 1024 } = options;
  const { settings, environment, applyEnvironment, builtIn } = options;
  const projectOptions = { settings, environment, applyEnvironment, builtIn };
  const adkWeb = options.adkWeb === undefined ? null : await loadAdkWeb(options.adkWeb);
  const apps = await findApps(folder);
  const project = await openProject({ ...projectOptions, agent: folder });
  const notices = noticesOf(project);
  const sessions = createSessionStore();
  const secrets = await openSecrets(project, apps, projectOptions);
  const studio: Studio = {
    apps,
    notices,
    projectOptions,
    plugins: project.config.plugins,
    runsFolder: project.runsFolder,
    locks: createFileLocks(),
    deletions: createDeletions(),
    mask: secrets.mask,
    agents: createAgents(project, secrets),
    sessions,
    runs: createLiveRuns(),
    openedRuns: createOpenedRuns(project),
    trendRuns: createTrendRuns(),
  };
  const token = allowUnauthenticated ? null : createToken();
  const codes = new Set<string>();
  const server = await listen(wanted);
  const { port } = server;
  const app = httpApp(studio, { port, token, cookie: createToken(), codes, maxBodyBytes, adkWeb });
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
      return (await drainRuns(studio.runs)).map((run) => nameOfRun(run, project));
    },
    async close() {
      await sessions.close();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Whose code and variables are in use besides those of the folder: names only. */
function noticesOf({ config, environment }: Awaited<ReturnType<typeof openProject>>): readonly string[] {
  const read = environment.files.filter(({ names }) => names.length > 0);
  return [
    ...(config.file === null ? [] : [`config: ${config.file}`]),
    ...(config.plugins.length === 0 ? [] : [`plugins: ${config.plugins.map(({ name }) => name).join(', ')}`]),
    ...read.map(({ file, names }) => `environment: ${names.join(', ')} from ${file}`),
    ...config.warnings.map(({ file, message }) => `warning: ${file === undefined ? '' : `${file}: `}${message}`),
  ];
}
