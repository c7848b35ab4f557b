import type { ErrorInfo, FunctionCall, Invocation, SessionInput, State } from '@agent-criteria/core';
import type { CaseCriteria } from './criteria/case-criteria.ts';

/** A conversation in ADK's terms, whatever format it was written in. */
export interface Conversation {
  /** The id in the file, or `null` if it has none. */
  readonly id: string | null;
  /** The place in the file, such as `log.jsonl, line 7`. */
  readonly where: string;
  /** The messages of the user, each with all that the agent did for it. At least one. */
  readonly turns: readonly Invocation[];
  /** The expectations, by the index of their turn. */
  readonly expected: ReadonlyMap<number, Expected>;
  /** The session before the conversation. Default: unknown. */
  readonly sessionInput?: SessionInput | undefined;
  /** The state at the end. Default: unknown. */
  readonly finalState?: State | undefined;
  /** The number of first turns that are context and are not judged. Default 0. */
  readonly history?: number | undefined;
  readonly label?: RecordedLabel | undefined;
  /** A name shared by conversations that pass and fail together. Default: none. */
  readonly group?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** The repeat of its case, zero-based. Default 0. */
  readonly repeat?: number | undefined;
  /** Why the conversation broke. Default: it did not. */
  readonly error?: ErrorInfo | undefined;
  /** Milliseconds since the epoch. Default: unknown. */
  readonly startedAt?: number | undefined;
  readonly endedAt?: number | undefined;
  /** The criteria that the checks of its file became. Default: the file has no checks of its own. */
  readonly criteria?: CaseCriteria | undefined;
}

/** The expectations for one turn. */
export interface Expected {
  readonly answer?: string | undefined;
  readonly calls?: readonly FunctionCall[] | undefined;
}

/** A person's label of a conversation. */
export interface RecordedLabel {
  readonly label: 'pass' | 'fail';
  readonly reason: string | null;
}

/** The name of the agent in formats that do not name it. */
export const AGENT = 'agent';
