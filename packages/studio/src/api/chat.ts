import type { Content, EvalCase, Json, State } from '@agent-criteria/core';
import type { Suggestion } from '@agent-criteria/project/editing';

/** An agent with its tools and sub-agents. */
export interface AgentNode {
  readonly name: string;
  readonly type: string;
  readonly description?: string | undefined;
  readonly tools: readonly { readonly name: string }[];
  readonly sub_agents: readonly AgentNode[];
}

/** The agent of an app, with what its sessions take. */
export interface AgentDetail extends AgentNode {
  /** Whether files in messages reach it. */
  readonly supportsFiles: boolean;
}

/** A session, without its events. */
export interface SessionSummary {
  readonly id: string;
  readonly userId: string;
  /** The user's first message, or the names of its files if it has no text. */
  readonly opening: string;
  /** Number of messages from the user. */
  readonly messages: number;
  /** Unix seconds. */
  readonly lastUpdateTime: number;
}

export interface NewSession {
  readonly state: State;
}

export interface SessionDetail {
  readonly id: string;
  readonly userId: string;
  /** State that the agent started with. */
  readonly initialState: State;
  readonly state: State;
  /** The session whose messages this one starts with, or `null`. */
  readonly continues: string | null;
  /** Whether its state can be changed now. */
  readonly takesState: boolean;
  /** Why the session takes no more messages, or `null` if it still does. */
  readonly closed: string | null;
  /** Whether the agent is still answering. */
  readonly isBusy: boolean;
  /** Place of the first event of the turn in flight, or `null` if there is none. */
  readonly turnFrom: number | null;
  /** The ids of the messages before which the agent started over: it knows nothing from before them. */
  readonly startedOver: readonly string[];
  /** Why what is new in the session is lost when the studio ends, in a complete sentence, or `null` if it is kept. */
  readonly unsaved: string | null;
  readonly events: readonly SessionEvent[];
  readonly spans: readonly SessionSpan[];
}

/** An ADK event, in camel case. */
export type SessionEvent = Readonly<Record<string, Json>>;

/** A span of a turn, in the format that ADK's server returns. */
export interface SessionSpan {
  readonly name: string;
  readonly span_id: string;
  readonly parent_span_id: string | null;
  /** Nanoseconds since the epoch. */
  readonly start_time: number;
  readonly end_time: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

/** A message that replaces an earlier one; a new session branches off there. */
export interface BranchRequest {
  /** Event id of the earlier message. */
  readonly event: string;
  readonly text: string;
  /** Whether earlier messages may be resent if the agent cannot continue from them. Default `false`. */
  readonly resend?: boolean | undefined;
}

/** A session that continues from a message in another one. */
export interface Branch {
  readonly session: SessionDetail;
  /** Messages to send to it, in this order; the last one is the new message. */
  readonly messages: readonly MessageToSend[];
}

export interface MessageToSend {
  readonly content: Content;
  readonly stateDelta?: State | undefined;
  /** Any text that no other message of the session has: a message with the same key is sent to the agent once only. */
  readonly key?: string | undefined;
}

/** Returned when no session was branched off because earlier messages would have to be resent. */
export interface NeedsResending {
  readonly session: null;
  /** A complete sentence. */
  readonly why: string;
  readonly resending: Resending;
}

/** What the earlier messages cost when they were first sent. `null` if the agent does not report it. */
export interface Resending {
  readonly messages: number;
  readonly modelCalls: number | null;
  readonly tokens: number | null;
  readonly tools: readonly { readonly name: string; readonly calls: number }[];
}

export interface ArtifactContent {
  readonly name: string;
  readonly version: number;
  /** As reported by the agent, or `null` if it reports none. */
  readonly mimeType: string | null;
  readonly bytes: number;
  readonly shown:
    | { readonly kind: 'text'; readonly text: string; readonly isCut: boolean }
    | { readonly kind: 'json'; readonly value: Json }
    /** `source` is a data URL. */
    | { readonly kind: 'image'; readonly source: string }
    | { readonly kind: 'none' };
}

export interface CaseRequest {
  /** Set that the case is meant for; the config next to it decides how calls are compared. */
  readonly set?: string | undefined;
  /** Default: the session id. */
  readonly evalId?: string | undefined;
}

/** A conversation turned into an eval case that expects it, not yet saved. */
export interface CaseDraft {
  /** With all suggested matchers. */
  readonly evalCase: EvalCase;
  /** Without any suggested matchers. */
  readonly bare: EvalCase;
  /** Matchers for arguments that may differ from run to run. */
  readonly suggestions: readonly Suggestion[];
  /** Remarks to read before saving, in complete sentences. */
  readonly notes: readonly string[];
}
