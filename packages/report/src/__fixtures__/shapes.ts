import type { FunctionCall, Score } from '@agent-criteria/core';
import type { RunCall, RunFacts, RunRecord } from '@agent-criteria/results';
import { evalCase, inference } from '@agent-criteria/core/testing';
import { criterion, runOf, type SetSpec } from './runs.ts';

const lamp = (state: string): FunctionCall => ({ name: 'switch', args: { device: 'lamp', state } });
const turns = (...words: readonly [user: string, answer?: string, calls?: readonly FunctionCall[]][]) =>
  words.map(([user, answer, calls = []]) => ({ user, answer: answer ?? null, calls }));
const unjudged = (reason: string): Score => ({ value: null, missing: 'could-not-judge', reason });
const notApplicable: Score = { value: null, missing: 'not-applicable', reason: 'no answer is expected' };

const due = turns(['switch it on', 'The lamp is on.', [lamp('on')]]);

/** A set with a case for each verdict, and for each reason why a score can be missing. */
export const everyVerdict: SetSpec = {
  id: 'rooms',
  file: 'rooms.evalset.json',
  configFile: 'test_config.json',
  criteria: [
    criterion('words'),
    criterion('kind'),
    criterion('count', { decides: false, range: { min: 0, max: null, better: 'lower' } }),
  ],
  config: {
    criteria: { words: { threshold: 0.8, when_not_applicable: 'skip' }, kind: { threshold: 0.5, min_coverage: 0.5 } },
    agent_criteria: { measure: ['count'] },
  },
  cases: [
    {
      evalCase: evalCase('right', due),
      repeats: [
        { inference: inference(due), scores: { words: [{ value: 1 }], kind: [{ value: 1 }], count: [{ value: 3 }] } },
      ],
    },
    {
      evalCase: evalCase('wrong', due),
      repeats: [
        {
          inference: inference(turns(['switch it on', 'The lamp is off.', [lamp('off')]])),
          scores: {
            words: [
              {
                value: 0.7999999,
                reason: '1 of 4 words is missing',
                evidence: [{ kind: 'words', missing: ['on'], extra: [] }],
              },
            ],
            kind: [
              {
                parts: [
                  { id: 'please', kind: 'rubric', text: 'It says please.', value: 0, reason: 'it does not' },
                  { id: 'short', kind: 'rubric', text: 'It is short.', value: 1 },
                  { id: 'rhyme', kind: 'rubric', text: 'It rhymes.', ...unjudged('no judge answered') },
                ],
              },
            ],
            count: [{ value: 4 }],
          },
        },
      ],
    },
    {
      evalCase: evalCase('unclear', due),
      repeats: [
        {
          inference: inference(due),
          scores: { words: [notApplicable], kind: [unjudged('the judge did not answer')], count: [{ value: 0 }] },
        },
      ],
    },
    {
      evalCase: evalCase('broken', [...due, ...turns(['and off', 'The lamp is off.'])]),
      repeats: [
        {
          inference: inference(due, {
            ending: {
              by: 'error',
              of: 'agent',
              error: {
                code: 'AGENT_FAILED',
                message: 'turn 2: the wire is cut',
                stack:
                  'Error: the wire is cut\n    at agent (/home/me/agent.ts:4:30)\n    at node:internal/process:1:1',
              },
            },
          }),
        },
      ],
    },
    {
      evalCase: evalCase('skipping', due),
      repeats: [
        {
          inference: inference(due),
          scores: { words: [notApplicable], kind: [{ value: 0.5 }], count: [{ value: 1 }] },
        },
      ],
    },
  ],
};

/** Cases that differ in their repeats, turns and records. */
export const oddShapes: SetSpec = {
  id: 'odd/shapes',
  criteria: [criterion('words'), criterion('whole', { scope: 'conversation' })],
  cases: [
    {
      evalCase: evalCase('repeated', due),
      repeats: [
        { inference: inference(due), scores: { words: [{ value: 1 }], whole: [{ value: 1 }] } },
        {
          inference: inference(turns(['switch it on', 'No.'])),
          scores: { words: [{ value: 0, reason: 'nothing' }], whole: [{ value: 1 }] },
        },
        {
          inference: inference([], {
            ending: { by: 'error', of: 'user', error: { code: 'TIMEOUT', message: 'the user took too long' } },
          }),
        },
      ],
    },
    {
      evalCase: {
        evalId: 'simulated',
        conversationScenario: { startingPrompt: 'Hi', conversationPlan: 'Ask for light.' },
      },
      repeats: [
        {
          inference: inference(turns(['Hi', 'Hello.'], ['Light!', 'Done.', [lamp('on')]]), {
            ending: { by: 'turn-limit' },
          }),
          scores: { words: [{ value: 1 }, { value: 0 }], whole: [{ value: 0.2, reason: 'too slow' }] },
        },
      ],
    },
    {
      evalCase: evalCase('lost', due),
      repeats: [{ inference: null, scores: { words: [{ value: 0 }], whole: [{ value: 0 }] } }],
    },
    { evalCase: evalCase('never run', due), repeats: [] },
    {
      evalCase: evalCase('aborted', due),
      repeats: [{ inference: inference([], { ending: { by: 'abort', reason: 'interrupted' } }) }],
    },
    { evalCase: evalCase('empty', []), repeats: [{ inference: inference([]) }] },
    {
      evalCase: evalCase('silent', due),
      repeats: [
        { inference: inference(turns(['switch it on'])), scores: { words: [{ value: 0 }], whole: [notApplicable] } },
      ],
    },
  ],
};

/** A set with no criterion that decides. */
export const onlyMeasured: SetSpec = {
  id: 'measured',
  criteria: [criterion('count', { decides: false })],
  config: { criteria: {}, agent_criteria: { measure: ['count'] } },
  cases: [
    { evalCase: evalCase('a', due), repeats: [{ inference: inference(due), scores: { count: [{ value: 0.5 }] } }] },
  ],
};

export const inCompat: SetSpec = {
  id: 'compat',
  compat: 'adk',
  cases: [
    {
      evalCase: evalCase('lenient', [...due, ...due]),
      repeats: [{ inference: inference([...due, ...due]), scores: { kind: [{ value: 1 }, unjudged('no answer')] } }],
    },
  ],
};

const allSets: readonly SetSpec[] = [everyVerdict, oddShapes, onlyMeasured, inCompat];

export function runOfAll(facts: Partial<RunFacts> = {}): RunRecord {
  return runOf(allSets, facts);
}

/** A run in which only 5 of 9 units have finished. */
export function unfinishedRun(): RunRecord {
  return runOf([everyVerdict], { endedAt: null, units: { total: 9, finished: 5 } });
}

const judgeCall: Omit<RunCall, 'key' | 'sample'> = {
  role: 'criterion', caller: 'kind', turn: 0, target: 'judge', request: 'a'.repeat(64), finish: 'stop', from: 'live',
  usage: { inputTokens: 10, outputTokens: 2 }, startedAt: 0, endedAt: 9,
};

/** Creates a run whose cases are generated lazily. Every hundredth case fails. */
export function largeRun(cases: number): RunRecord {
  const small = runOf([everyVerdict]);
  const set = small.sets[0]!;
  const counts = {
    ...set.summary.verdicts,
    passed: cases - Math.ceil(cases / 100),
    failed: Math.ceil(cases / 100),
    'not-evaluated': 0,
    error: 0,
  };
  const summary = { ...set.summary, total: cases, verdicts: counts };
  return {
    ...small,
    info: { ...small.info, units: { total: cases, finished: cases } },
    sets: [{ ...set, summary }],
    summary,
    async *cases() {
      for (let index = 0; index < cases; index++) {
        const one = await small.case({ setId: 'rooms', caseId: index % 100 === 0 ? 'wrong' : 'right' });
        const caseId = `case-${index}`;
        const key = { setId: 'rooms', caseId, repeat: 0 };
        const calls = [0, 1].map((sample) => ({ ...judgeCall, key, sample }));
        yield { ...one!, evalCase: { ...one!.evalCase, evalId: caseId }, result: { ...one!.result, caseId }, calls };
      }
    },
  };
}
