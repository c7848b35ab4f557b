import { untilAborted, withoutMetadataWarning } from '@agent-criteria/calls';
import { postRequest } from './post-request.ts';
import { signInFailure } from './service-failure.ts';
import type { EvaluationTransport } from './transport.ts';

export interface ClientTransportOptions {
  readonly project: string;
  readonly location: string;
  readonly apiEndpoint?: string | undefined;
}

/** The parts of Google's client that are used: the address of the service and its credentials. */
interface Access {
  readonly url: string;
  headers(): Promise<Headers>;
}

/**
 * Creates a transport with application default credentials, through Google's client, which is loaded at the first call.
 */
export function clientTransport(options: ClientTransportOptions): EvaluationTransport {
  let connected: Promise<Access> | undefined;
  return async (body, signal) => {
    connected ??= connect(options);
    const { url, headers } = await connected;
    // Signing in cannot be interrupted; it is awaited only as long as the call is needed.
    const signedIn = await withoutMetadataWarning(() => untilAborted(headers, signal));
    return postRequest(url, body, signedIn, signal);
  };
}

async function connect({ project, location, apiEndpoint }: ClientTransportOptions): Promise<Access> {
  const { Client } = await import('@google-cloud/vertexai');
  // Exposes `protected` members. The client does not send requests itself, because it would follow redirects.
  class EvaluationClient extends Client implements Access {
    readonly url = `${this.apiClient.getRequestUrl()}/projects/${project}/locations/${location}:evaluateInstances`;
    readonly headers = async (): Promise<Headers> => {
      const headers = new Headers(this.apiClient.getHeaders());
      await this.apiClient.clientOptions.auth.addAuthHeaders(headers, this.url).catch((error: unknown) => {
        throw signInFailure(error);
      });
      return headers;
    };
  }
  return new EvaluationClient({ project, location, apiEndpoint });
}
