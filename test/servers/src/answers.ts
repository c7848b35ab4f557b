import type { Fault } from './faults.ts';
import { schemaInstance } from './schema-instance.ts';

/** A question to a model, whatever service it came through. */
export interface Asked {
  /** Its bare name, as `gemini-2.5-flash`. */
  readonly model: string;
  readonly system: string;
  /** The texts of all messages, in order, joined by a newline. */
  readonly text: string;
  /** The JSON Schema that the answer must fit; `null` where none was sent. */
  readonly schema: object | null;
  /** From 0: how often this very question was asked before. */
  readonly sample: number;
}

/** What the model says, and how it ends. */
export interface Said {
  /** Default: nothing. */
  readonly text?: string;
  /** Reasoning, sent beside the text as the service does it. */
  readonly thoughts?: string;
  /** `stop`, `length`, `blocked`, or the service's own word. Default `stop`. */
  readonly finish?: string;
  /** The prompt was refused, and there is no candidate. Gemini only. */
  readonly blockReason?: string;
  /** There is no candidate, and nobody says why. */
  readonly empty?: boolean;
  /** The model says in a field of its own that it will not answer. OpenAI only. */
  readonly refusal?: string;
  /** Default: a quarter of the characters. `null`: the service reports none. */
  readonly usage?: Usage | null;
}

/** Cached tokens are among those of the input, reasoning among the output. */
export interface Usage {
  readonly input?: number;
  readonly cachedInput?: number;
  readonly output?: number;
  readonly reasoning?: number;
}

/** A model in one function. */
export type Answer = (asked: Asked) => string | Said | Fault | Promise<string | Said | Fault>;

/**
 * An answer that fits the schema of any question: the first listed value everywhere, unless `choose` gives another one
 * for a place, as `$.verdict` or `$.rubrics[0].verdict`. A question without a schema is answered by `text`.
 */
export function fittingAnswer(
  choose?: (path: string, asked: Asked, schema: Readonly<Record<string, unknown>>) => unknown,
  text = 'Yes.',
): Answer {
  return (asked) =>
    asked.schema === null
      ? text
      : JSON.stringify(schemaInstance(asked.schema, (path, schema) => choose?.(path, asked, schema)));
}

/** Counts how often each question was asked. */
export function sampleCounter(): (question: Omit<Asked, 'sample'>) => Asked {
  const seen = new Map<string, number>();
  return (question) => {
    const key = JSON.stringify([question.model, question.system, question.text, question.schema]);
    const sample = seen.get(key) ?? 0;
    seen.set(key, sample + 1);
    return { ...question, sample };
  };
}

export function isFault(said: string | Said | Fault): said is Fault {
  return typeof said === 'object' && ('status' in said || 'cut' in said || 'hang' in said || 'slow' in said);
}

/** With what nobody said. */
export function usageOf(asked: Asked, said: Said): Required<Usage> | null {
  if (said.usage === null) return null;
  const tokens = (text: string): number => Math.ceil(text.length / 4);
  const reasoning = said.usage?.reasoning ?? tokens(said.thoughts ?? '');
  return {
    input: said.usage?.input ?? tokens(asked.system + asked.text),
    cachedInput: said.usage?.cachedInput ?? 0,
    output: said.usage?.output ?? tokens(said.text ?? '') + reasoning,
    reasoning,
  };
}
