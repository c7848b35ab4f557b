// A judge without a model: the criteria are the real ones, and what they ask is answered in the form that they ask for, as a
// script says. It stands where a model's provider and Google's evaluation service would.

import type { Json, ModelAnswer, ModelRequest, Tools } from '@agent-criteria/core';
import type { Caller, CallPolicies } from '@agent-criteria/core/host';

/** What a judge is asked. */
export interface Question {
  readonly criterion: string;
  readonly caseId: string;
  /** From 0; `null` for a whole conversation. */
  readonly turn: number | null;
  /** Its text; `null` where the criterion has none. */
  readonly rubric: string | null;
  /** The agent's last answer, where the judge is shown it by itself. */
  readonly answer: string;
}

/** Yes, no, or `null`: no opinion was to be had. */
export type Opinion = (question: Question) => boolean | null;

/** Every model and the evaluation service answer as `opinion` says; without an opinion a model's answer is blocked. */
export function judgedBy(opinion: Opinion): CallPolicies {
  return { apply: (tools, caller) => scripted(tools, caller, opinion), close: async () => [] };
}

/** The same tools; nobody is asked. */
export function scripted(tools: Tools, caller: Caller, opinion: Opinion): Tools {
  return {
    ...tools,
    model: (name) => ({
      ...tools.model(name),
      async generate(request): Promise<ModelAnswer> {
        const answer = answerTo(request, caller, opinion);
        const text = answer === null ? '' : JSON.stringify(answer);
        return { text, finish: answer === null ? 'blocked' : 'stop', usage: {}, from: 'live' };
      },
    }),
    async call<Request extends Json, Answer extends Json>({ request }: { readonly request: Request }) {
      return { answer: evaluationOf(request, caller, opinion) as Answer, from: 'live' as const };
    },
  };
}

/** What the evaluation service of Vertex AI says. */
function evaluationOf(request: Json, { key, name, turn }: Caller, opinion: Opinion): Json {
  const { instance, coherenceInput } = request as {
    readonly instance?: { readonly response?: { readonly contents: { readonly contents: readonly Message[] } } };
    readonly coherenceInput?: { readonly instance: { readonly prediction: string } };
  };
  const answer = coherenceInput?.instance.prediction ?? instance?.response?.contents.contents[0]?.parts[0]?.text ?? '';
  const yes = opinion({ criterion: name, caseId: key.caseId, turn, rubric: null, answer });
  const [worst, best] = coherenceInput === undefined ? [0, 1] : [1, 5];
  const error = { code: 13, message: 'the script has no opinion' };
  const result = yes === null ? { error } : { score: yes ? best : worst, explanation: 'scripted' };
  return coherenceInput === undefined ? { metricResults: [result] } : { coherenceResult: result };
}

interface Message {
  readonly parts: readonly { readonly text: string }[];
}

function answerTo(request: ModelRequest, { key, name, turn }: Caller, opinion: Opinion): Json {
  const shown = materialOf(request);
  const question = {
    criterion: name,
    caseId: key.caseId,
    turn,
    answer: shown['final answer'] ?? shown["agent's answer"] ?? '',
  };
  const asked = JSON.stringify(request.schema);
  if (asked.includes('"done"')) return nextOf(shown);
  if (asked.includes('"is_valid"')) {
    const yes = opinion({ ...question, rubric: null });
    return yes === null ? null : { criteria: [{ name: 'all', reasoning: 'scripted', passes: yes }], is_valid: yes };
  }
  if (asked.includes('is_the_agent_response_valid')) {
    const yes = opinion({ ...question, rubric: null });
    return yes === null ? null : { reasoning: 'scripted', is_the_agent_response_valid: yes ? 'valid' : 'invalid' };
  }
  if (asked.includes('"rubrics"')) {
    const rubrics = (JSON.parse(shown['rubrics'] ?? '[]') as { id: string; text: string }[]).map(({ id, text }) => {
      const yes = opinion({ ...question, rubric: text });
      return { id, evidence: '', rationale: 'scripted', verdict: yes === null ? 'none' : yes ? 'yes' : 'no' };
    });
    return { rubrics };
  }
  const yes = opinion({ ...question, rubric: null });
  if (yes === null) return null;
  if (!asked.includes('"label"')) return { sentences: [shown['the text to cut'] ?? ''] };
  const sentences = JSON.parse(shown['the sentences to check, as JSON'] ?? '[]') as { number: number }[];
  const label = yes ? 'supported' : 'unsupported';
  return {
    sentences: sentences.map(({ number }) => ({
      number,
      supporting_excerpt: null,
      contradicting_excerpt: null,
      rationale: 'scripted',
      label,
    })),
  };
}

/** The simulated user says its plan line by line, and ends after the last. */
function nextOf({ plan = '', 'conversation so far': history = '' }: Readonly<Record<string, string>>): Json {
  const next = plan.split('\n').find((line) => !history.includes(`user: ${line}`));
  return { reason: 'scripted', done: next === undefined, message: next ?? '' };
}

/** What stands between the fences, by name. */
function materialOf({ messages }: ModelRequest): Readonly<Record<string, string>> {
  const text = messages[0]?.parts?.[0]?.text ?? '';
  const marker = /code of this request is (\w+)/.exec(text)?.[1] ?? '';
  const parts = text.matchAll(new RegExp(`\\[begin ${marker}: (.*)\\]\\n([\\s\\S]*?)\\n\\[end ${marker}: `, 'g'));
  return Object.fromEntries([...parts].map(([, name = '', inside = '']) => [name, inside]));
}
