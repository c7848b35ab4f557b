import { type FakeServer, startServer } from './http-server.ts';

export interface FakeCredentialsOptions {
  /** The token that Google's clients receive. Default `test-token`. */
  readonly token?: string;
  /** How long signing in takes, in milliseconds. Default 0. */
  readonly latency?: number;
}

export interface FakeCredentials extends FakeServer {
  /** Variables that direct Google's auth libraries here; `undefined` means that a variable must not be set. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const ACCOUNT = '/computeMetadata/v1/instance/service-accounts/default/token';

/**
 * Starts a fake metadata server of a machine in Google's cloud, which provides application default credentials to the
 * real auth libraries.
 */
export async function startFakeCredentials(options: FakeCredentialsOptions = {}): Promise<FakeCredentials> {
  const { token = 'test-token', latency = 0 } = options;
  const flavor = { 'metadata-flavor': 'Google' };
  const server = await startServer({ latency }, ({ path, headers }) => {
    if (headers['metadata-flavor'] !== 'Google') return { status: 403, body: 'Missing Metadata-Flavor:Google header.' };
    const [route = ''] = path.split('?');
    if (route === ACCOUNT) {
      const body = { access_token: token, expires_in: 3600, token_type: 'Bearer' };
      return { status: 200, headers: flavor, body };
    }
    const said = route.endsWith('/universe-domain')
      ? 'googleapis.com'
      : route.endsWith('/project-id')
        ? 'test-project'
        : '';
    return { status: 200, headers: { ...flavor, 'content-type': 'text/plain' }, body: said };
  });
  return Object.assign(server, {
    environment: {
      GCE_METADATA_HOST: server.url.replace('http://', ''),
      METADATA_SERVER_DETECTION: 'assume-present',
      GOOGLE_APPLICATION_CREDENTIALS: undefined,
      // The real home folder may contain credentials.
      HOME: '/nonexistent',
    },
  });
}
