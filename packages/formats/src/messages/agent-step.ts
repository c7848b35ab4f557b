import type { Content, Invocation, InvocationEvent, Part } from '../data/model.ts';
import type { ReadCall } from './reported-call.ts';

/** A step of a turn in ADK's terms, in the order in which it happened. */
export type AgentStep =
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly author?: string | undefined;
      readonly thought?: boolean | undefined;
    }
  | ({ readonly kind: 'call' } & ReadCall)
  /** A part of a model's message that is none of the others, such as code that was run. */
  | { readonly kind: 'part'; readonly part: Part; readonly author?: string | undefined }
  /** The result of an earlier call, if it came later than the call. */
  | {
      readonly kind: 'response';
      readonly response: NonNullable<ReadCall['response']>;
      readonly author?: string | undefined;
    }
  /** A call to a model, with its token counts in ADK's format. */
  | {
      readonly kind: 'model';
      readonly model?: string | undefined;
      readonly usage?: unknown;
      readonly author?: string | undefined;
    };

/** A turn from which an invocation is built. */
export interface ReportedTurn {
  readonly userContent: Content;
  /** The answer, or `null` if there is none. */
  readonly answer: Content | null;
  readonly steps: readonly AgentStep[];
  /** The agent under test. */
  readonly author: string;
  /** Grounding of the answer, as the model reported it. */
  readonly grounding?: unknown;
}

/**
 * Builds the invocation of a turn from its steps, as ADK records it: an event for each, with the tokens of each model
 * call on the event that follows it.
 */
export function invocationOf({ userContent, answer, steps, author, grounding }: ReportedTurn): Invocation {
  const events: InvocationEvent[] = [];
  let model: Pick<InvocationEvent, 'usageMetadata' | 'modelVersion'> | null = null;
  const add = (by: string, role: 'model' | 'user', part: Part): void => {
    const last = events.at(-1);
    // Calls that a model makes in one answer belong to one event, as do their results.
    if (model === null && last?.author === by && last.content?.role === role && isSameKind(last.content, part)) {
      events[events.length - 1] = { ...last, content: { role, parts: [...(last.content.parts ?? []), part] } };
      return;
    }
    events.push({ author: by, content: { role, parts: [part] }, ...(role === 'model' ? (model ?? {}) : {}) });
    if (role === 'model') model = null;
  };
  const flush = (by: string): void => {
    if (model !== null) events.push({ author: by, content: null, ...model });
    model = null;
  };
  for (const step of steps) {
    const by = step.author ?? author;
    if (step.kind === 'model') {
      flush(by);
      model = { usageMetadata: step.usage, modelVersion: step.model ?? null };
    } else if (step.kind === 'text') {
      add(by, 'model', step.thought === true ? { text: step.text, thought: true } : { text: step.text });
    } else if (step.kind === 'part') {
      add(by, 'model', step.part);
    } else if (step.kind === 'call') {
      add(by, 'model', { functionCall: step.call });
      if (step.response !== null) add(by, 'user', { functionResponse: step.response });
    } else add(by, 'user', { functionResponse: step.response });
  }
  flush(author);
  if (grounding !== undefined && grounding !== null) {
    events.push({ author, content: null, groundingMetadata: grounding });
  }
  return { userContent, finalResponse: answer, intermediateData: { invocationEvents: events } };
}

function isSameKind({ parts }: Content, part: Part): boolean {
  const last = parts?.at(-1);
  if (part.functionCall !== undefined) return last?.functionResponse === undefined;
  return part.functionResponse !== undefined && last?.functionResponse !== undefined;
}
