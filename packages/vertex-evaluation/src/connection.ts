import type { ModelAccess, Problem } from '@agent-criteria/core';
import { type EvaluationServiceOptions, endpointProblem } from './options.ts';

/** `process.env`, or the environment of a run. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The address of the service and its credentials. */
export type Connection =
  | { readonly by: 'api-key'; readonly apiKey: string; readonly apiEndpoint: string | undefined }
  | {
      readonly by: 'project';
      readonly project: string;
      readonly location: string;
      readonly apiEndpoint: string | undefined;
    };

const SERVICE = 'Vertex AI evaluation service';
const BOTH = 'GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION';

/**
 * Determines the connection from options and environment, and describes it. It uses `GOOGLE_API_KEY` in express mode,
 * or else project and location with application default credentials. A project or location in the options overrides the
 * key. The order of precedence is ADK's.
 */
export function connectionOf(
  options: Partial<EvaluationServiceOptions>,
  environment: Environment,
): { readonly connection: Connection | null; readonly access: ModelAccess } {
  const problems: Problem[] = [];
  const apiEndpoint = options.apiEndpoint ?? set(environment.GOOGLE_VERTEX_BASE_URL);
  const place = apiEndpoint === undefined ? '' : ` at ${apiEndpoint}`;
  const wrong = apiEndpoint === undefined ? null : endpointProblem(apiEndpoint);
  if (wrong !== null && options.apiEndpoint === undefined) {
    problems.push({ code: 'INVALID_CONFIG', message: `GOOGLE_VERTEX_BASE_URL ${wrong}` });
  }
  const found = (where: string, credentials: string | null, connection: Connection | null) => ({
    connection: problems.length > 0 ? null : connection,
    access: { service: `${SERVICE}${where}${wrong === null ? place : ''}`, credentials, problems },
  });

  const apiKey = set(environment.GOOGLE_API_KEY);
  const project = options.project ?? set(environment.GOOGLE_CLOUD_PROJECT);
  const location = options.location ?? set(environment.GOOGLE_CLOUD_LOCATION);
  const isWritten = options.project !== undefined || options.location !== undefined;
  if (apiKey !== undefined && !isWritten) {
    // The error about a key that cannot be sent would quote it.
    if (!/^[!-~]+$/.test(apiKey)) {
      const message = 'GOOGLE_API_KEY contains a space, a line break or another character that a key cannot have';
      problems.push({ code: 'INVALID_CONFIG', message });
    }
    const over = project === undefined ? '' : ', which overrides GOOGLE_CLOUD_PROJECT, as in ADK';
    return found(' in express mode', `GOOGLE_API_KEY${over}`, { by: 'api-key', apiKey, apiEndpoint });
  }
  if (project === undefined && location === undefined) {
    problems.push(missing(`set ${BOTH} and sign in with application default credentials, or set GOOGLE_API_KEY`));
  } else if (project === undefined) {
    problems.push(missing(`the project is missing: set GOOGLE_CLOUD_PROJECT, or the option "project"`));
  } else if (location === undefined) {
    problems.push(
      missing(`the location is missing: set GOOGLE_CLOUD_LOCATION (as us-central1), or the option "location"`),
    );
  } else {
    problems.push(...unsuitable('GOOGLE_CLOUD_PROJECT', project, /^[A-Za-z0-9][\w.:-]{0,99}$/, 'the id of a project'));
    problems.push(
      ...unsuitable('GOOGLE_CLOUD_LOCATION', location, /^[a-z0-9][a-z0-9-]{0,39}$/, 'a region, such as us-central1'),
    );
    problems.push(...unreadableCredentials(set(environment.GOOGLE_APPLICATION_CREDENTIALS)));
  }
  if (project === undefined || location === undefined) return found('', null, null);
  return found(`, project ${project}, location ${location}`, 'application default credentials', {
    by: 'project',
    project,
    location,
    apiEndpoint,
  });
}

/** An empty variable counts as not set. */
function set(value: string | undefined): string | undefined {
  return value?.trim() === '' ? undefined : value?.trim();
}

function missing(what: string): Problem {
  return { code: 'MISSING_ENVIRONMENT', message: `the ${SERVICE} cannot be asked: ${what}` };
}

/** Checks a variable that, like the corresponding option, becomes part of a URL. An option is checked by its schema. */
function unsuitable(variable: string, value: string, pattern: RegExp, what: string): Problem[] {
  if (pattern.test(value)) return [];
  return [
    { code: 'INVALID_CONFIG', message: `${variable} must be ${what}, not ${JSON.stringify(value.slice(0, 60))}` },
  ];
}

function unreadableCredentials(file: string | undefined): Problem[] {
  // An import would take as long as everything else here, even if another way of signing in is used.
  if (file === undefined || process.getBuiltinModule('node:fs').existsSync(file)) return [];
  return [missing(`GOOGLE_APPLICATION_CREDENTIALS names a file that does not exist: ${file}`)];
}
