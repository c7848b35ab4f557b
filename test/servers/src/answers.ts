import type { Fault } from './faults.ts';
import { schemaInstance } from './schema-instance.ts';

/** A question to a model, whichever service it came through. */
export interface Asked {
  /** The bare name of the model, such as `gemini-2.5-flash`. */
  readonly model: string;
  readonly system: string;
  /** The texts of all messages, in order, joined by newlines. */
  readonly text: string;
  /** The JSON Schema that the answer must match, or `null` if none was sent. */
  readonly schema: object | null;
  /** How often this exact question was asked before, from 0. */
  readonly sample: number;
}

/** The model's answer, and how it ends. */
export interface Said {
  /** The text. Default: none. */
  readonly text?: string;
  /** Reasoning, sent next to the text as the service does. */
  readonly thoughts?: string;
  /** The stop reason: `stop`, `length`, `blocked`, or the service's own word. Default `stop`. */
  readonly finish?: string;
  /** The reason why the prompt was blocked, in which case there is no candidate. Gemini only. */
  readonly blockReason?: string;
  /** Whether there is no candidate, without a reason. */
  readonly empty?: boolean;
  /** The model's refusal, in a separate field. OpenAI only. */
  readonly refusal?: string;
  /** Token counts, or `null` if the service reports none. Default: a quarter of the characters. */
  readonly usage?: Usage | null;
}

/** Token counts. Cached tokens are included in the input, reasoning in the output. */
export interface Usage {
  readonly input?: number;
  readonly cachedInput?: number;
  readonly output?: number;
  readonly reasoning?: number;
}

/** A model, as a function from a question to an answer. */
export type Answer = (asked: Asked) => string | Said | Fault | Promise<string | Said | Fault>;

/**
 * Creates a model whose answers match the schema of any question: the first listed value everywhere, unless `choose`
 * returns another one for a path, such as `$.verdict` or `$.rubrics[0].verdict`. A question without a schema is
 * answered with `text`.
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

/** Returns a function that counts how often each question was asked. */
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

/** Completes the token counts that an answer does not state. */
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
