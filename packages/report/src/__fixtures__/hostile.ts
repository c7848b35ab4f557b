import type { RunRecord } from '@agent-criteria/results';
import type { Score } from '@agent-criteria/core';
import { evalCase, inference } from '@agent-criteria/core/testing';
import fc from 'fast-check';
import { criterion, runOf } from './runs.ts';
import { binaryText } from '../../../../test/binary-text.ts';

const PIECES = [
  ...[
    '<script>alert(1)</script>',
    '</details>',
    '<!-- ',
    ']]>',
    '&#64;',
    '&lt;',
    '"',
    "'",
    '<img src=x onerror=alert(1)>',
  ],
  ...[
    '```\n',
    '~~~\n',
    '````',
    '|',
    '\\|',
    '\\',
    '`',
    '``',
    '\n\n# title\n',
    '\n',
    '\r\n',
    '\r',
    '\n---\n',
    '**',
    '$x$',
    '\n| a |\n|---|\n',
  ],
  ...[
    '@octocat',
    '#1',
    'GH-1',
    'o/r#1',
    'https://evil.example/x',
    'www.evil.example',
    'me@evil.example',
    '[a](javascript:alert(1))',
    '![x](http://evil.example)',
  ],
  ...[
    '=1+1',
    '+1',
    '-1',
    '@SUM(1)',
    '\t=1',
    '\uff1d1',
    '\uff0b',
    '\uff0d',
    '\uff20',
    "=cmd|' /C calc'!A0",
    ',',
    ';',
    '""',
  ],
  ...[
    '\u001b[31m',
    '\u001b]0;title\u0007',
    '\u009b2J',
    '\u0000',
    '\u0008',
    '\u000b',
    '\ufffe',
    '\uffff',
    '\ud800',
    '\udc00',
    '\u202e',
    '\u2028',
    '\u{1f44d}',
  ],
  ...[
    '::stop-commands::x',
    '\n::add-mask::8',
    '\r::error file=a::b',
    '\u2028::notice::',
    '日本語::warning::',
    '\n  ::group::',
    '##vso[task.complete result=Succeeded;]',
    '##[group]',
    '#',
    '[',
    ':',
    "##teamcity[testFailed name='a']",
    'section_start:1:a\r\u001b[0K',
    '\n--- group',
    '\n  +++ group',
    '語~~~ group',
    '^^^ +++',
  ],
  ...['__proto__', 'constructor', '../..', '日本語', ' ', 'x'.repeat(700)],
];

/** Text that tries to break out of any format that contains it. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...PIECES) }, binaryText({ maxLength: 12 })), {
    maxLength: 6,
  })
  .map((pieces) => pieces.join(''));

/** The placeholder for the hostile text. */
const MARK = '§';

/** Creates a run in which every untrusted string is the given one, with a number appended where it must be unique. */
export function hostileRun(text: string): RunRecord {
  const run = template();
  const set = run.sets[0]!;
  return {
    ...run,
    info: filled(run.info, text),
    sets: [filled(set, text)],
    warnings: filled(run.warnings, text),
    async *cases() {
      for await (const one of run.cases()) yield filled(one, text);
    },
    case: async () => undefined,
  };
}

/** Replaces every placeholder in values and keys. */
function filled<T>(value: T, text: string): T {
  const fill = (inner: unknown): unknown => {
    if (typeof inner === 'string') return inner.replaceAll(MARK, () => text);
    if (Array.isArray(inner)) return inner.map(fill);
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).map(([key, item]) => [fill(key) as string, fill(item)]));
  };
  return fill(value) as T;
}

function template(): RunRecord {
  const call = { name: MARK, args: { [MARK]: MARK, list: [MARK] } };
  const scored = (value: number): Score => ({
    reason: MARK,
    warnings: [MARK],
    evidence: [
      { kind: 'note', text: MARK },
      { kind: 'json', label: MARK, value: { [MARK]: MARK } },
      { kind: 'diff', path: MARK, expected: MARK, actual: [MARK] },
      { kind: 'words', missing: [MARK], extra: [MARK] },
      { kind: 'vote', positive: 1, negative: 2, unreadable: 1, of: 5 },
      { kind: 'json', label: 'excerpt', value: MARK },
      {
        kind: 'opinions',
        prompt: MARK,
        questions: [
          { id: MARK, text: MARK },
          { id: `${MARK}2`, text: MARK },
        ],
        samples: [
          { sample: 0, model: MARK, opinions: [], failure: MARK },
          {
            sample: 1,
            opinions: [
              { question: MARK, label: MARK, rationale: MARK, countedAs: null },
              { question: `${MARK}2`, unreadable: MARK },
            ],
          },
        ],
      },
      {
        kind: 'json',
        label: 'opinions',
        value: [
          { sample: 0, model: MARK, prompt: MARK, from: MARK, failure: MARK },
          { sample: 1, model: MARK, opinions: [0, 1].map(() => ({ item: MARK, label: MARK, rationale: MARK })) },
        ],
      },
    ],
    parts: [
      { id: MARK, kind: 'rubric', text: MARK, value, reason: MARK, evidence: [{ kind: 'note', text: MARK }] },
      { id: `${MARK}2`, kind: 'rubric', value: null, missing: 'could-not-judge', reason: MARK },
      {
        id: MARK, kind: 'step', text: MARK, reason: MARK,
        parts: [{ id: MARK, kind: 'sentence', text: MARK, value, reason: MARK }],
      },
    ],
  });
  const asked = { caller: MARK, turn: 0, sample: 0, target: MARK, request: MARK, answer: MARK, startedAt: 0, endedAt: 1 };
  const callsOf = (caseId: string) => {
    const key = { setId: MARK, caseId, repeat: 0 };
    return [
      { ...asked, key, role: 'criterion', finish: MARK, usage: { [MARK]: MARK, inputTokens: 1 } } as const,
      { ...asked, key, role: 'user', error: { code: 'CALL_FAILED', message: MARK } } as const,
    ];
  };
  const due = [{ user: MARK, answer: `${MARK} is right`, calls: [call] }];
  const done = [{ user: MARK, answer: MARK, calls: [{ ...call, name: `other ${MARK}` }] }];
  const name = `name-${MARK}`;
  const error = { code: 'AGENT_FAILED', message: MARK, stack: `Error: ${MARK}\n    at ${MARK} (${MARK})` } as const;
  const ids = [0, 1, 2, 3].map((index) => `${MARK}${index}`);
  const spec = {
    id: MARK,
    file: MARK,
    configFile: MARK,
    criteria: [criterion(name)],
    config: { criteria: { [name]: { threshold: 0.5, min_coverage: 0.1 } } },
    warnings: [{ code: 'INVALID_DATA', message: MARK, file: MARK, path: MARK } as const],
    cases: [
      {
        evalCase: evalCase(ids[0]!, due),
        repeats: [{ inference: inference(done, { sessionId: MARK }), scores: { [name]: [scored(0)] } }],
        calls: callsOf(ids[0]!),
      },
      {
        evalCase: evalCase(ids[1]!, due),
        repeats: [{ inference: inference(due, { ending: { by: 'error', of: 'agent', error, reason: MARK } }) }],
      },
      {
        evalCase: evalCase(ids[2]!, due),
        repeats: [{ inference: inference(due), scores: { [name]: [{ value: 1, reason: MARK }] } }],
      },
      {
        evalCase: evalCase(ids[3]!, due),
        repeats: [
          {
            inference: inference(due),
            scores: { [name]: [{ value: null, missing: 'could-not-judge', reason: MARK } as const] },
          },
        ],
      },
    ],
  };
  return runOf([spec], { id: MARK, agent: `${MARK}/agent.ts` });
}
