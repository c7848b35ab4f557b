// Stand where language models would, so that this example needs no key: a visitor for simulated conversations and a judge.
// Their rules fit this repair café and nothing else; nobody should take what they say for the opinion of a model.
import type { Json, LanguageModel, ModelRequest } from '@agent-criteria/cli';

/** Plays the visitor: says the next line of its plan, and ends when there is none. */
export const scriptedVisitor = scripted('scripted-visitor', (request) => {
  const { plan = '', 'conversation so far': history = '' } = materialOf(request);
  const next = linesOf(plan, history).find((line) => !history.includes(`user: ${line}`));
  return { reason: 'the plan says so', done: next === undefined, message: next ?? '' };
});

function linesOf(plan: string, history: string): readonly string[] {
  const name = /name of (\w+)/.exec(plan)?.[1] ?? '';
  const isOffered = history.includes('free place on');
  return [
    ...(isOffered ? [`Yes please, for ${name}.`] : []),
    ...(plan.includes('driver') ? ['Is there a driver for a lamp?'] : []),
  ];
}

/** Judges the visitor: every line but a rude one is fine. */
export const scriptedJudge = scripted('scripted-judge', (request) => {
  const isRude = /stupid/i.test(JSON.stringify(request.messages));
  const reasoning = isRude ? 'The visitor is rude.' : 'The visitor keeps to the plan.';
  return { criteria: [{ name: 'plan followed', reasoning, passes: !isRude }], is_valid: !isRude };
});

function scripted(id: string, answerTo: (request: ModelRequest) => Json): LanguageModel {
  return {
    id,
    generate: async (request) => ({ text: JSON.stringify(answerTo(request)), finish: 'stop', usage: {}, from: 'live' }),
  };
}

/** What stands between the fences, by name. */
function materialOf({ messages }: ModelRequest): Readonly<Record<string, string>> {
  const text = messages[0]?.parts?.[0]?.text ?? '';
  const marker = /code of this request is (\w+)/.exec(text)?.[1] ?? '';
  const parts = text.matchAll(new RegExp(`\\[begin ${marker}: (.*)\\]\\n([\\s\\S]*?)\\n\\[end ${marker}: `, 'g'));
  return Object.fromEntries([...parts].map(([, name = '', inside = '']) => [name, inside]));
}
