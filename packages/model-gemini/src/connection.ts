import type { ModelAccess, Problem } from '@agent-criteria/core';

/** Options that determine where a model is called. Absent options are read from the environment. */
export interface ConnectionOptions {
  readonly model: string;
  readonly vertex?: boolean | undefined;
  readonly apiKey?: string | undefined;
  readonly project?: string | undefined;
  readonly location?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly googleAuthOptions?: object | undefined;
}

/** Where a model is called. Without project and location, a key for Vertex AI means express mode. */
export interface Connection {
  readonly vertex: boolean;
  readonly apiKey?: string;
  readonly project?: string;
  readonly location?: string;
  readonly baseUrl?: string;
}

/** `process.env`, or the environment of a run. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that hold a key, in the SDK's order of precedence, followed by another one that ADK reads. */
const KEYS = ['GOOGLE_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_GENAI_API_KEY'] as const;

const resourceName = /^projects\/([^/]+)\/locations\/([^/]+)\//;

/**
 * Resolves the connection from options and environment, with a description. Options override the environment, and a
 * project overrides a key, as in Google's SDK. The result is passed to the SDK, which would otherwise print its own
 * choice on standard output.
 */
export function connectionOf(
  options: ConnectionOptions,
  environment: Environment,
): { readonly connection: Connection | null; readonly access: ModelAccess } {
  const [, namedProject, namedLocation] = resourceName.exec(options.model) ?? [];
  const vertex =
    namedProject !== undefined || (options.vertex ?? (options.project !== undefined || wantsVertex(environment)));
  const urlVariable = vertex ? 'GOOGLE_VERTEX_BASE_URL' : 'GOOGLE_GEMINI_BASE_URL';
  const baseUrl = options.baseUrl ?? set(environment[urlVariable]);
  const keyVariable = KEYS.find((name) => set(environment[name]) !== undefined);
  const ownKey = set(options.apiKey);
  const apiKey = ownKey ?? (keyVariable === undefined ? undefined : environment[keyVariable]);
  const keyFrom = ownKey === undefined ? (keyVariable ?? null) : 'the option apiKey';
  const place = baseUrl === undefined ? '' : ` at ${withoutSecrets(baseUrl)}`;
  const problems: Problem[] = [];
  if (baseUrl !== undefined && !URL.canParse(baseUrl)) {
    const source = options.baseUrl === undefined ? urlVariable : 'the option baseUrl';
    const message = `${source} is not a URL; write it as "https://host" with only a path after the host`;
    problems.push({ code: 'INVALID_CONFIG', message });
  }
  const found = (service: string, credentials: string | null, connection: Connection | null) => ({
    connection: problems.length > 0 ? null : connection,
    access: { service: service + place, credentials, problems },
  });

  if (!vertex) {
    if (apiKey === undefined) problems.push(missing(options.model, 'GEMINI_API_KEY or GOOGLE_API_KEY', VERTEX_HINT));
    return found('Gemini API', keyFrom, apiKey === undefined ? null : { vertex, apiKey, baseUrl });
  }

  const explicitProject = namedProject ?? options.project;
  const project = explicitProject ?? (ownKey === undefined ? set(environment.GOOGLE_CLOUD_PROJECT) : undefined);
  if (project !== undefined) {
    const location = namedLocation ?? options.location ?? set(environment.GOOGLE_CLOUD_LOCATION) ?? 'global';
    const account = options.googleAuthOptions === undefined ? ADC : 'the option googleAuthOptions';
    return found(`Vertex AI, project ${project}, location ${location}`, ownKey === undefined ? account : keyFrom, {
      vertex,
      project,
      location,
      apiKey: ownKey,
      baseUrl,
    });
  }
  if (apiKey === undefined) {
    problems.push(missing(options.model, 'GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION', EXPRESS_HINT));
  }
  return found('Vertex AI in express mode', keyFrom, apiKey === undefined ? null : { vertex, apiKey, baseUrl });
}

const ADC = 'application default credentials';
const VERTEX_HINT = 'or, for Vertex AI, GOOGLE_GENAI_USE_VERTEXAI=true, GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION';
const EXPRESS_HINT = 'or, for express mode, GOOGLE_API_KEY';

function missing(model: string, variables: string, otherwise: string): Problem {
  const message = `the model "${model}" cannot be called: set ${variables}, in the environment or in a .env file (${otherwise})`;
  return { code: 'MISSING_ENVIRONMENT', message };
}

/** Treats an empty variable as unset. */
function set(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

/**
 * Whether the environment selects Vertex AI. The newer of the two names takes precedence, as in the SDK; `1` is true,
 * as in ADK Python.
 */
function wantsVertex(environment: Environment): boolean {
  const flag = environment.GOOGLE_GENAI_USE_ENTERPRISE ?? environment.GOOGLE_GENAI_USE_VERTEXAI;
  return /^(?:true|1)$/i.test(flag ?? '');
}

/** Removes any passwords from a URL. */
function withoutSecrets(url: string): string {
  if (!URL.canParse(url)) return 'a URL that cannot be read';
  const { origin, pathname } = new URL(url);
  return origin + (pathname === '/' ? '' : pathname);
}
