import type { Connection } from './connection.ts';
import { SIGN_IN_FAILURE } from './transport.ts';

/** Facts about a failure that determine the advice. */
export interface AdviceFacts {
  /** The HTTP status. */
  readonly status: number | undefined;
  /** All messages of the failure, joined. */
  readonly said: string;
  /** The connection, or `null` for a custom transport. */
  readonly connection: Connection | null;
}

const API = 'aiplatform.googleapis.com';

/** Returns a sentence or two of advice: which variable, API or region to check. */
export function adviceFor({ status, said, connection }: AdviceFacts): string {
  if (connection === null) return status === undefined ? '' : 'Your own transport received this answer.';
  const byKey = connection.by === 'api-key';
  const project = byKey ? "the key's project" : `the project ${connection.project}`;
  if (said.includes(SIGN_IN_FAILURE)) return `${SIGN_IN} If you were signed in before, you may have to sign in again.`;
  if (status === 401 || /API_KEY_INVALID|API key (?:not valid|expired)/i.test(said)) {
    return byKey ? WRONG_KEY : `${SIGN_IN} If you were signed in before, you may have to sign in again.`;
  }
  if (/BILLING_DISABLED|billing to be enabled|billing account/i.test(said)) {
    return `Enable billing for ${project}: https://console.cloud.google.com/billing.`;
  }
  if (status === 403 && /SERVICE_DISABLED|has not been used|is disabled|not enabled/i.test(said)) {
    const query = byKey ? '' : `?project=${connection.project}`;
    return `Enable the Vertex AI API (${API}) for ${project}: https://console.cloud.google.com/apis/library/${API}${query}.`;
  }
  if (status === 403) {
    return byKey
      ? `Allow the key in GOOGLE_API_KEY to use the Vertex AI API (${API}). ${WRONG_KEY}`
      : `Give the signed-in account the role Vertex AI User (roles/aiplatform.user) in ${project}, and enable the Vertex AI API (${API}) there.`;
  }
  if (/unsupported predefined metric|metric .{0,80}not supported/i.test(said)) {
    return `${where(connection)} does not serve this metric: ${otherRegion(connection)}.`;
  }
  if (status === 404) {
    const endpoint = isElsewhere(connection);
    return `${where(connection)} may not have the evaluation service: ${otherRegion(connection)}.${endpoint === '' ? '' : ` ${endpoint}`}`;
  }
  if (status === 400) return `If it is for the region: ${otherRegion(connection)}.`;
  if (status === 429) {
    return `Send fewer requests (requests_per_second), or request a higher quota of ${API} in ${project}: https://console.cloud.google.com/iam-admin/quotas. Then run agent-criteria resume to score what is missing.`;
  }
  const isRedirect = status !== undefined && status >= 300 && status < 400;
  if (isRedirect || /HTML page|<html/i.test(said)) {
    return isElsewhere(connection) || `There seems to be a proxy in front of ${API}: allow requests to it.`;
  }
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH/.test(said)) {
    return isElsewhere(connection) || `Can this machine reach ${hostOf(connection)}? ${regionHint(connection)}`.trim();
  }
  if (/certificate|_CERT_|UNABLE_TO_VERIFY|\bERR_SSL_|\bSSL routines\b/i.test(said)) {
    return `${OTHER_CERTIFICATE} ${isElsewhere(connection)}`.trim();
  }
  // These failures are permanent.
  if (/the answer is (?:null|nested|larger)|bad port/.test(said)) return isElsewhere(connection);
  return status === undefined || status >= 500 || status === 408 ? LATER : '';
}

const LATER = 'This is temporary: run agent-criteria resume to score what is missing.';
const OTHER_CERTIFICATE =
  "The server's certificate is not trusted by Node. If it is a company proxy, set NODE_EXTRA_CA_CERTS to its certificate file.";
const SIGN_IN =
  'Sign in with "gcloud auth application-default login", or name a credentials file in GOOGLE_APPLICATION_CREDENTIALS, or set GOOGLE_API_KEY to a key of Vertex AI express mode.';
const WRONG_KEY =
  'GOOGLE_API_KEY must be a key of Vertex AI express mode; an AI Studio key does not work. Or unset it, and set GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION.';

function where(connection: Connection): string {
  return connection.by === 'api-key' ? 'Express mode' : `The region ${connection.location}`;
}

function otherRegion(connection: Connection): string {
  if (connection.by === 'api-key') {
    return 'set a project and a region, such as us-central1, in the options "project" and "location", which override GOOGLE_API_KEY';
  }
  const other = connection.location === 'us-central1' ? 'europe-west4' : 'us-central1';
  return `set another one in GOOGLE_CLOUD_LOCATION or the option "location", such as ${other}`;
}

/** Asks about the endpoint, if a custom one is set. */
function isElsewhere({ apiEndpoint }: Connection): string {
  if (apiEndpoint === undefined) return '';
  return `Is ${apiEndpoint} (api_endpoint, or GOOGLE_VERTEX_BASE_URL) the endpoint of Vertex AI in that region?`;
}

/** The host as Google's client computes it. */
function hostOf(connection: Connection): string {
  if (connection.by === 'api-key' || connection.location === 'global') return API;
  const { location } = connection;
  // Multi-regions have their own host names.
  return location === 'us' || location === 'eu' ? `aiplatform.${location}.rep.googleapis.com` : `${location}-${API}`;
}

/** Suggests checking the region, because an unknown region appears as an unknown host. */
function regionHint(connection: Connection): string {
  return connection.by === 'api-key' ? '' : `If ${connection.location} is not a region: ${otherRegion(connection)}.`;
}
