import type { ApiError, LostUpdate } from '../api.ts';

/** A request that the server refused, or that never reached it. */
export class Refused extends Error {
  /** 0: the server was not reached. */
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, message: string, body: unknown) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

export interface AskOptions {
  readonly body?: unknown;
  /** The version that was seen. */
  readonly version?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Asks one of studio's endpoints. @throws Refused */
export async function ask<Answer>(method: string, path: string, options: AskOptions = {}): Promise<Answer> {
  const { body, version, signal } = options;
  // A browser takes these for another path, however they are spelt.
  const [, dots] = /\/(\.\.?)(?:[/?]|$)/.exec(path) ?? [];
  if (dots !== undefined) {
    throw new Refused(0, `What is called "${dots}" has no address: give it another name in the file.`, null);
  }
  let response: Response;
  try {
    response = await fetch(`/api${path}`, {
      method,
      signal: signal ?? null,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(version === undefined ? {} : { 'if-match': version }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new Refused(0, 'The studio does not answer. Is it still running in the terminal?', null);
  }
  const text = await response.text();
  const answer: unknown = text === '' ? null : parsed(text);
  if (response.ok) return answer as Answer;
  throw new Refused(response.status, detailOf(answer, response.status), answer);
}

/** A path of names, each of which may hold anything. */
export function path(...steps: readonly string[]): string {
  return `/${steps.map(encodeURIComponent).join('/')}`;
}

/** Whether a save was refused because of what somebody else saved. */
export function isLostUpdate<Value>(error: unknown): error is Refused & { readonly body: LostUpdate<Value> } {
  return error instanceof Refused && error.status === 412;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
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
