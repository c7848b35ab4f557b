import type { Answer, ApiError, Body, LostUpdate, Params, Query, RouteName, Routes } from '../api.ts';
import { connectionLost } from './connection.ts';

/** A request that was rejected or did not reach the server. */
export class Refused extends Error {
  /** 0 if the server was not reached. */
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, message: string, body: unknown) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

/** The values of a request: those in the path and, where the route takes them, `query` and `body`. */
export type Input<Name extends RouteName> = Params<Name> & {
  /** Version of the value that the change is based on. */
  readonly seen?: string | undefined;
  readonly signal?: AbortSignal | undefined;
} & ('body' extends keyof Routes[Name] ? { readonly body: Body<Name> } : object) &
  (object extends Query<Name> ? { readonly query?: Query<Name> } : { readonly query: Query<Name> });

interface AnyInput {
  readonly [param: string]: unknown;
  readonly body?: unknown;
  readonly query?: object;
  readonly seen?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Sends a request to one of the studio's endpoints. @throws Refused */
export async function ask<Name extends RouteName>(name: Name, input: Input<Name>): Promise<Answer<Name>> {
  const { body, seen, signal } = input as AnyInput;
  const address = addressOf(name, input);
  // Browsers would resolve such a segment to a different path, even percent-encoded.
  const [, dots] = /\/(\.\.?)(?:[/?]|$)/.exec(address) ?? [];
  if (dots !== undefined) {
    throw new Refused(0, `What is called "${dots}" has no address: give it another name in the file.`, null);
  }
  const response = await send(name.slice(0, name.indexOf(' ')), address, { body, seen, signal });
  return (await response.json()) as Answer<Name>;
}

/** Sends a request. @throws Refused unless the request succeeds. */
export async function send(
  method: string,
  address: string,
  { body, seen, signal }: Pick<AnyInput, 'body' | 'seen' | 'signal'>,
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(address, {
      method,
      signal: signal ?? null,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(seen === undefined ? {} : { 'if-match': seen }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    connectionLost();
    throw new Refused(0, 'The studio does not answer. Is it still running in the terminal?', null);
  }
  if (response.ok) return response;
  const answer: unknown = await response.json().catch(() => null);
  throw new Refused(response.status, detailOf(answer, response.status), answer);
}

/** Builds the address of a request, escaping its values. */
export function addressOf<Name extends RouteName>(name: Name, input: Input<Name>): string {
  const { query = {}, ...params } = input as AnyInput;
  const path = name.slice(name.indexOf(' ') + 1);
  const filled = path.replace(/:(\w+)/g, (_, param: string) => encodeURIComponent(String(params[param])));
  const entries = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(entries.map(([key, value]) => [key, String(value)])).toString();
  return `/api${filled}${search === '' ? '' : `?${search}`}`;
}

/** Whether a change was rejected because the value had been changed elsewhere. */
export function isLostUpdate<Value>(error: unknown): error is Refused & { readonly body: LostUpdate<Value> } {
  return error instanceof Refused && error.status === 412;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function detailOf(answer: unknown, status: number): string {
  const detail = (answer as ApiError | null)?.detail;
  if (typeof detail === 'string') return detail;
  if (Array.isArray(detail)) {
    return detail
      .map(({ loc, msg }) => [loc.slice(1).join('.'), msg].filter((part) => part !== '').join(': '))
      .join('\n');
  }
  return `The studio answered ${status}.`;
}
