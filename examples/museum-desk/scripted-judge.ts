// Stands where a language model would, so that this example needs none: its rules fit this museum and nothing else. What it
// says is recorded in judge.recording.jsonl; nobody should take that for the opinion of a model.
import type { Json, LanguageModel, ModelRequest } from '@agent-criteria/cli';

export const scriptedJudge: LanguageModel = {
  id: 'scripted-judge',
  async generate(request) {
    const seen = materialOf(request);
    const answer = JSON.stringify(answerTo(request, seen));
    // As a model does that thinks for too long: cut off in the middle.
    const isCut = asksForAnswer(request) && /wheelchair/i.test(seen['user message'] ?? '');
    return {
      text: isCut ? answer.slice(0, 30) : answer,
      finish: isCut ? 'length' : 'stop',
      usage: {
        inputTokens: Math.ceil(JSON.stringify(request.messages).length / 4),
        outputTokens: Math.ceil(answer.length / 4),
      },
      from: 'live',
    };
  },
};

type Seen = Readonly<Record<string, string>>;

/** What stands between the fences, by name. */
function materialOf({ messages }: ModelRequest): Seen {
  const text = messages[0]?.parts?.[0]?.text ?? '';
  const marker = /code of this request is (\w+)/.exec(text)?.[1] ?? '';
  const parts = text.matchAll(new RegExp(`\\[begin ${marker}: (.*)\\]\\n([\\s\\S]*?)\\n\\[end ${marker}: `, 'g'));
  return Object.fromEntries([...parts].map(([, name = '', inside = '']) => [name, inside]));
}

function asksForAnswer({ schema }: ModelRequest): boolean {
  return JSON.stringify(schema).includes('is_the_agent_response_valid');
}

function answerTo(request: ModelRequest, seen: Seen): Json {
  if (asksForAnswer(request)) return compare(seen, request.sample);
  const asked = JSON.stringify(request.schema);
  if (asked.includes('"rubrics"')) return { rubrics: rubricsOf(seen).map((rubric) => judgeRubric(rubric, seen)) };
  return asked.includes('"label"') ? validate(seen) : { sentences: sentencesOf(seen['the text to cut'] ?? '') };
}

/** Valid when every number and name of the reference is in the answer, and the answer does not mention anything that the reference denies. The second sample is strict about tours. */
function compare(seen: Seen, sample: number): Json {
  const answer = seen["agent's answer"] ?? '';
  const missing = factsOf(seen['reference answer'] ?? '').filter((fact) => !answer.includes(fact));
  if (missing.length > 0) {
    return { reasoning: `The answer lacks ${missing.join(', ')}.`, is_the_agent_response_valid: 'invalid' };
  }
  const denied = /knows nothing of (?:an? |the )?(\p{L}+)/u.exec(seen['reference answer'] ?? '')?.[1];
  if (denied !== undefined && answer.includes(denied) && !answer.includes('knows nothing')) {
    const reasoning = `The answer mentions a ${denied}, but according to the reference, the desk knows nothing about one.`;
    return { reasoning, is_the_agent_response_valid: 'invalid' };
  }
  if (sample === 1 && answer.includes('tour') && answer.endsWith('?')) {
    return {
      reasoning: 'The answer asks a question, but the reference does not.',
      is_the_agent_response_valid: 'invalid',
    };
  }
  return { reasoning: 'The answer says what the reference says.', is_the_agent_response_valid: 'valid' };
}

function factsOf(text: string): string[] {
  return text.match(/\d+:\d\d|T-\d+|\d+|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|\b(?:closed|free)\b/g) ?? [];
}

interface Rubric {
  readonly id: string;
  readonly text: string;
}

function rubricsOf(seen: Seen): Rubric[] {
  return JSON.parse(seen['rubrics'] ?? '[]') as Rubric[];
}

function judgeRubric({ id, text }: Rubric, seen: Seen): Json {
  const answer = seen['final answer'] ?? '';
  const happened = Object.values(seen).join('\n');
  const [verdict, rationale] = ((): readonly [string, string] => {
    if (text.includes('two sentences')) {
      const count = sentencesOf(answer).length;
      return [count <= 2 ? 'yes' : 'no', `The answer has ${count} sentences.`];
    }
    if (text.includes('not possible')) {
      if (!/closed|no free/.test(answer)) return ['not_applicable', 'Nothing was refused.'];
      return ['yes', 'The answer says plainly what is not possible.'];
    }
    if (text.includes('booked only after')) {
      const booked = happened.includes('book_tour(') || happened.includes('"tool": "book_tour"');
      return [booked && !/\d+ people/.test(happened) ? 'no' : 'yes', 'No tour is booked before the number is known.'];
    }
    if (text.includes('looked up')) {
      const looked = /"tool"|calls the tool/.test(happened);
      return [looked ? 'yes' : 'not_applicable', looked ? 'It used a tool.' : 'There was nothing to look up.'];
    }
    return ['yes', 'Every turn continues where the previous one ended.'];
  })();
  return { id, evidence: '', rationale, verdict };
}

function validate(seen: Seen): Json {
  const { 'the sentences to check, as JSON': list = '[]', ...evidence } = seen;
  const known = Object.values(evidence).join('\n');
  const sentences = JSON.parse(list) as { readonly number: number; readonly sentence: string }[];
  return {
    sentences: sentences.map(({ number, sentence }) => {
      const facts = factsOf(sentence).filter((fact) => /\d/.test(fact));
      const unknown = facts.filter((fact) => !known.includes(fact));
      const label = unknown.length > 0 ? 'unsupported' : sentence.endsWith('?') ? 'not_applicable' : 'supported';
      const rationale =
        label === 'unsupported'
          ? `Nothing in the context mentions ${unknown.join(', ')}.`
          : label === 'supported'
            ? 'A tool said so.'
            : 'A question states nothing.';
      return { number, supporting_excerpt: null, contradicting_excerpt: null, rationale, label };
    }),
  };
}

function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.?!])\s+/).filter((sentence) => sentence !== '');
}
