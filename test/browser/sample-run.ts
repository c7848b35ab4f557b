import {
  type Criterion,
  defineCriterion,
  type EvalCase,
  type EvalSet,
  type Inference,
  type Invocation,
  isInvocationEvents,
  noOptions,
  type Score,
} from '@agent-criteria/core';
import { createRegistry, resolveEvalConfig, scoreUnit, summarise, summariseCase } from '@agent-criteria/core/host';
import { evalCase, inference, invocation } from '@agent-criteria/core/testing';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import { type RunCase, type RunRecord, runRecord } from '@agent-criteria/results';

/** The smallest valid PNG. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const origin = { package: 'criteria-sample', version: '1.2.3' };

/** Creates a criterion that returns the scores that `say` chooses. */
function scripted(name: string, decides: boolean, say: (turn: number, answer: string) => Score): Criterion {
  return defineCriterion({
    name,
    decides,
    origin,
    description: `What ${name} is for.`,
    range: { min: 0, max: 1, better: 'higher' },
    options: noOptions,
    scope: 'turn',
    evaluate: (turn) => say(turn.index, turn.actual.finalResponse?.parts?.at(-1)?.text ?? ''),
  });
}

const tone = scripted('tone_v1', true, (turn, answer) => {
  if (answer.includes('lamp')) return { value: null, missing: 'not-applicable', reason: 'The case asks for no tone.' };
  if (turn === 1) return { value: null, missing: 'could-not-judge', reason: 'The judge answered with bad JSON.' };
  return {
    evidence: [{ kind: 'vote', positive: 2, negative: 1, unreadable: 1, of: 5 }],
    warnings: ['This rubric can never fail.'],
    parts: [
      { id: 'polite', kind: 'rubric', text: 'The answer is polite.', value: 1, reason: 'It thanks the user.' },
      {
        id: 'short',
        kind: 'rubric',
        text: 'The answer is short.',
        value: 0,
        reason: 'It has three sentences.',
        evidence: [{ kind: 'note', text: 'Counted: 3.' }],
      },
      { id: 'tools', kind: 'step', value: null, missing: 'not-applicable', reason: 'No tool was called.' },
    ],
  };
});

const length = scripted('answer_length', false, (_turn, answer) => ({
  value: Math.min(answer.length / 100, 1),
  evidence: [
    { kind: 'json', label: 'counts', value: { characters: answer.length, words: answer.split(' ').length } },
    { kind: 'diff', expected: 'a short answer to this', actual: 'a long answer to this', path: '$.length' },
  ],
}));

/** Events as ADK records them: a sub-agent, a thought, a call with its response, an intermediate text. */
const events: Invocation = {
  ...invocation({ user: 'Book a table for two in Zürich on Friday', answer: 'Booked: Friday, 19:30, two people.' }),
  duration: 1.25,
  intermediateData: {
    invocationEvents: [
      { author: 'host', content: { parts: [{ text: 'They want Friday.', thought: true }, { text: 'Let me look.' }] } },
      {
        author: 'booking_agent',
        content: {
          parts: [
            { functionCall: { id: '1', name: 'find_table', args: { city: 'Zurich', people: 2, date: '2026-03-06' } } },
          ],
        },
      },
      {
        author: 'booking_agent',
        content: {
          parts: [{ functionResponse: { id: '1', name: 'find_table', response: { free: ['19:30', '21:00'] } } }],
        },
      },
      {
        author: 'booking_agent',
        content: { parts: [{ functionCall: { id: '2', name: 'send_mail', args: { to: 'a@b.c' } } }] },
      },
    ],
  },
};

const booking: EvalCase = evalCase(
  'book a table/für zwei',
  [
    {
      user: 'Book a table for two in Zürich on Friday',
      answer: 'Your table is booked: Friday, 20:00, two people.',
      calls: [
        { name: 'find_table', args: { city: 'Zürich', people: 2, date: '2026-03-06' } },
        { name: 'book', args: { time: '20:00' } },
      ],
    },
    { user: 'And a taxi?', answer: 'I cannot order taxis.' },
  ],
  {
    sessionInput: { appName: 'concierge', userId: 'u1', state: { city: 'Zürich', guests: { count: 1 } } },
    finalSessionState: { city: 'Zürich', guests: { count: 2 } },
    rubrics: [{ rubricId: 'polite', rubricContent: { textProperty: 'The answer is polite.' } }],
  },
);

const [bookingTurn] = booking.conversation ?? [];
const bookingSteps = bookingTurn?.intermediateData;
if (bookingSteps && !isInvocationEvents(bookingSteps)) {
  Object.assign(bookingSteps, {
    intermediateResponses: [
      ['host', [{ text: 'Let me see.' }]],
      ['booking_agent', [{ text: 'There is a table at 20:00.' }]],
    ],
  });
}

const simulated: EvalCase = {
  evalId: 'simulated guest',
  conversationScenario: {
    startingPrompt: 'Is there a pool?',
    conversationPlan: 'Ask for the pool, then for its hours.',
    userPersona: { id: 'hurried', description: 'Has no time.', behaviors: [] },
  },
};

const words: readonly (readonly [id: string, EvalCase, readonly Inference[]])[] = [
  [
    'booking',
    booking,
    [0, 1].map(
      (repeat): Inference => ({
        sessionId: `session-${repeat}`,
        invocations: [
          events,
          {
            ...invocation({ user: 'And a taxi?', answer: null }),
            finalResponse: {
              role: 'model',
              parts: [
                { text: 'I order none.' },
                { inlineData: { mimeType: 'image/png', data: PIXEL, displayName: 'a map' } },
                { inlineData: { mimeType: 'image/svg+xml', data: 'PHN2Zz4=', displayName: 'a drawing' } },
                { fileData: { fileUri: 'gs://bucket/menu.pdf', mimeType: 'application/pdf' } },
              ],
            },
          },
        ],
        state: {
          initial: { city: 'Zürich', guests: { count: 1 } },
          final: { city: 'Zürich', guests: { count: 2 }, booked: true },
        },
        ending: { by: 'end-of-case' },
        trace: [
          { id: 'a', kind: 'agent', name: 'host', turn: 0, startedAt: 1000, endedAt: 2250 },
          {
            id: 'b',
            parentId: 'a',
            kind: 'model',
            name: 'gemini',
            turn: 0,
            startedAt: 1010,
            endedAt: 1800,
            usage: { promptTokenCount: 180, candidatesTokenCount: 30 },
          },
          {
            id: 'c',
            parentId: 'a',
            kind: 'tool',
            name: 'find_table',
            turn: 0,
            startedAt: 1810,
            endedAt: 2200,
            response: { free: 2 },
          },
          {
            id: 'd',
            parentId: 'a',
            kind: 'tool',
            name: 'send_mail',
            turn: 0,
            startedAt: 2210,
            endedAt: 2240,
            error: { code: 'AGENT_FAILED', message: 'The mail server does not answer.' },
          },
          { id: 'e', kind: 'model', name: 'gemini', turn: 1, startedAt: 3000 },
        ],
      }),
    ),
  ],
  ...(['العربية', '日本語', 'ไทย'] as const).map((language): [string, EvalCase, readonly Inference[]] => {
    const answers = {
      العربية: ['تم تشغيل المصباح في غرفة المعيشة', 'تم تشغيل المصباح في المطبخ'],
      日本語: ['リビングの照明をつけました。', 'キッチンの照明をつけました。'],
      ไทย: ['เปิดไฟในห้องนั่งเล่นแล้ว', 'เปิดไฟในครัวแล้ว'],
    }[language];
    return [
      language,
      evalCase(language, [{ user: answers[0] ?? '', answer: answers[0] ?? '', calls: [] }]),
      [0, 1].map(() => inference([{ user: answers[0] ?? '', answer: answers[1] ?? '' }])),
    ];
  }),
  [
    'lamp',
    evalCase('lamp', [
      { user: 'Turn on the lamp', answer: 'The lamp is on.', calls: [{ name: 'switch', args: { on: true } }] },
    ]),
    [0, 1].map(() =>
      inference([
        { user: 'Turn on the lamp', answer: 'The lamp is on.', calls: [{ name: 'switch', args: { on: true } }] },
      ]),
    ),
  ],
  [
    'simulated',
    simulated,
    [0, 1].map(() =>
      inference([{ user: 'Is there a pool?', answer: 'There is, on the roof.' }], { ending: { by: 'turn-limit' } }),
    ),
  ],
  [
    'crash',
    evalCase('crash', [{ user: 'Divide by zero', answer: 'I cannot.' }]),
    [
      inference([], {
        ending: {
          by: 'error',
          of: 'agent',
          error: {
            code: 'AGENT_FAILED',
            message: 'Division by zero',
            stack: 'Error: Division by zero\n    at divide (agent.ts:3:9)',
          },
        },
      }),
      inference([{ user: 'Divide by zero', answer: 'I cannot.' }]),
    ],
  ],
];

/** Creates a run of a few cases with everything that a page can display. */
export async function sampleRun(): Promise<RunRecord> {
  const evalSet: EvalSet = {
    evalSetId: 'concierge',
    name: 'Concierge',
    description: 'What guests ask for.',
    evalCases: words.map(([, one]) => one),
  };
  const plan = resolveEvalConfig({
    evalSet,
    scoringOnly: true,
    registry: createRegistry([toolTrajectory, responseMatch, tone, length]),
    config: {
      criteria: {
        tool_trajectory_avg_score: { threshold: 1, when_not_applicable: 'skip' },
        response_match_score: 0.6,
        tone_v1: { threshold: 0.4, min_coverage: 0.5, when_not_applicable: 'skip' },
        answer_length: {},
      },
    },
  });
  const inferences = words.flatMap(([, { evalId }, list]) =>
    list.map((one, repeat) => ({
      key: { setId: evalSet.evalSetId, caseId: evalId, repeat },
      inference: one,
      startedAt: 1_767_000_000_000,
      endedAt: 1_767_000_001_340 + repeat * 500,
    })),
  );
  const cases = await Promise.all(
    words.map(async ([, one, list]) => {
      const unit = (repeat: number) => ({ setId: evalSet.evalSetId, case: one, repeat });
      return summariseCase(
        plan,
        one,
        await Promise.all(list.map((each, repeat) => scoreUnit(plan, unit(repeat), each))),
      );
    }),
  );
  const record = runRecord(
    {
      id: '2026-01-05-brave-otter',
      startedAt: 1_767_000_000_000,
      endedAt: 1_767_000_009_000,
      agent: 'examples/concierge',
    },
    [{ plan, cases, inferences, file: 'evals/concierge.evalset.json', configFile: 'evals/test_config.json' }],
  );
  const asked = {
    role: 'criterion',
    caller: 'tone_v1',
    turn: 0,
    target: 'gemini-2.5-flash',
    request: 'aa',
    from: 'live',
    startedAt: 0,
    endedAt: 900,
  } as const;
  return changeCases(record, (one) => ({
    ...one,
    calls: one.inferences.map(({ key }) => ({
      ...asked,
      key,
      sample: 0,
      usage: { inputTokens: 400, outputTokens: 25 },
      cost: 0.0045,
    })),
  }));
}

/** Returns the same run with modified cases. */
export function changeCases(run: RunRecord, change: (one: RunCase) => RunCase): RunRecord {
  return {
    ...run,
    async *cases(setId) {
      for await (const one of run.cases(setId)) yield change(one);
    },
    async case(key) {
      const one = await run.case(key);
      return one && change(one);
    },
  };
}

/** Creates a run with very many cases, each built on demand. */
export async function longRun(length: number): Promise<RunRecord> {
  const sample = await sampleRun();
  const few: RunCase[] = [];
  for await (const one of sample.cases()) few.push(one);
  const summary = summarise(Array.from({ length }, (_, place) => few[place % few.length]!.result));
  const make = (place: number): RunCase => {
    const one = few[place % few.length]!;
    const id = `case ${String(place + 1).padStart(5, '0')}`;
    return { ...one, evalCase: { ...one.evalCase, evalId: id }, result: { ...one.result, caseId: id } };
  };
  return {
    ...sample,
    info: { ...sample.info, units: { total: length * 2, finished: length * 2 } },
    sets: sample.sets.map((set) => ({ ...set, summary })),
    summary,
    async *cases() {
      for (let place = 0; place < length; place += 1) yield make(place);
    },
    async case({ caseId }) {
      return make(Number(caseId.replace(/\D/g, '')) - 1);
    },
  };
}

/** Strings that a hostile agent, tool, judge or author may write. Every attack sets the same canary. */
export const HOSTILE = [
  '</script><script>window.canary=1</script>',
  '<!--<script>window.canary=1</script>',
  '"><img src=x onerror=window.canary=1>',
  "'><svg onload=window.canary=1>",
  '--><iframe srcdoc="<script>parent.canary=1</script>"></iframe>',
  'javascript:window.canary=1',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a page may interpret templates.
  '${window.canary=1}{{constructor.constructor("window.canary=1")()}}<%=window.canary=1%>',
  ']]><style>*{background:url(https://example.org/leak)}</style><link rel=stylesheet href=https://example.org/x.css>',
  '\u202Egnp.exe\u2066\u2028\u2029\u0000\uD800',
  '<base href=https://example.org><meta http-equiv=refresh content="0;url=https://example.org">',
].join(' ');

/** Words that the data model defines, and that therefore cannot be replaced. */
const FIXED = new Set([
  ...['kind', 'missing', 'verdict', 'by', 'of', 'role', 'scope', 'better', 'from', 'code', 'whenNotApplicable', 'name'],
  ...['setId', 'caseId', 'mimeType', 'compat'],
]);

/** Returns a value with every string in it, and every key of a free-form map, made hostile. */
export function poisoned<T>(value: T, key = ''): T {
  const poison = (inner: unknown, at: string): unknown => {
    // In older run folders, opinions are identified by this label.
    if (at === 'label' && inner === 'opinions') return inner;
    if (typeof inner === 'string') return FIXED.has(at) ? inner : `${inner} ${HOSTILE}`;
    if (Array.isArray(inner)) return inner.map((item) => poison(item, at));
    if (typeof inner !== 'object' || inner === null) return inner;
    const free = at === 'args' || at === 'response' || at === 'initial' || at === 'final' || at === 'usage';
    return Object.fromEntries([
      ...Object.entries(inner).map(([name, item]) => [free ? `${name}${HOSTILE}` : name, poison(item, name)]),
      ...(free ? [['__proto__', { polluted: HOSTILE }]] : []),
    ]);
  };
  return poison(value, key) as T;
}

/** Creates the sample run with every text field made hostile. */
export async function hostileRun(): Promise<RunRecord> {
  const run = await sampleRun();
  const bad = <T>(value: T) => poisoned(value);
  const changed = changeCases(run, (one) => {
    const dirty = bad(one);
    // Ids are consistent, as in every record.
    const id = `${one.evalCase.evalId} ${HOSTILE}`;
    const rename = <K extends { name: string }>(list: readonly K[]) =>
      list.map((each) => ({ ...each, name: `${each.name} ${HOSTILE}` }));
    const { result } = dirty;
    return {
      ...dirty,
      evalCase: { ...dirty.evalCase, evalId: id },
      result: { ...result, caseId: id, criteria: rename(result.criteria) },
    };
  });
  return {
    ...changed,
    info: bad(run.info),
    sets: run.sets.map((set) => ({
      ...bad(set),
      name: HOSTILE,
      criteria: set.criteria.map((criterion) => ({ ...bad(criterion), name: `${criterion.name} ${HOSTILE}` })),
    })),
    warnings: [{ code: 'INVALID_DATA', message: HOSTILE, file: HOSTILE, path: HOSTILE }],
  };
}
