import type { Summary, Verdict } from '@agent-criteria/core/host';
import type { RunListing } from '@agent-criteria/runner';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs as numRuns } from '../../../../test/runs.ts';
import type { RunOrder, RunQuery } from '../api.ts';
import { inRunOrder, keepsAll, runFilter } from './find-runs.ts';
import { type ListedRun, listedRuns } from './listed-run.ts';

const apps = [
  { name: 'lamp', folder: '/agents/lamp', agent: '/agents/lamp/agent.ts' },
  { name: 'desk', folder: '/agents/desk', agent: '/agents/desk/agent.ts' },
];
const listed = listedRuns(apps, (id) => id === 'here');

interface Facts extends Partial<Omit<RunListing, 'summary'>> {
  readonly passed?: number;
  readonly failed?: number;
}

function run({ passed = 1, failed = 0, ...facts }: Facts & { readonly id: string }): ListedRun {
  const verdict: Verdict = failed > 0 ? 'failed' : 'passed';
  const verdicts = { passed, failed, error: 0, 'not-evaluated': 0, informational: 0 };
  const summary: Summary = {
    verdict,
    total: passed + failed,
    verdicts,
    nothingJudged: false,
    exitCode: failed > 0 ? 1 : 0,
  };
  return listed(facts.id, {
    folder: `/runs/${facts.id}`,
    startedAt: 1000,
    endedAt: 2000,
    agent: '/agents/lamp/agent.ts',
    sets: ['home'],
    repeats: 1,
    criteria: [],
    scorings: 1,
    units: { total: passed + failed, finished: passed + failed },
    summary,
    outcome: { state: 'recorded', summary, gates: [], decided: true, problems: [], exitCode: summary.exitCode },
    running: false,
    ...facts,
  });
}

const hash = 'abcdef0123456789abcdef0123456789abcdef01';
const named = run({ id: '20261101-101010-aaaa', name: 'Shorter prompt', commit: { hash }, startedAt: 5000 });
const failed = run({ id: '20261102-101010-bbbb', failed: 2, agent: '/agents/desk/agent.ts', sets: ['smoke', 'home'] });
const both = run({
  id: '20261103-101010-cccc',
  agent: 'flash=/agents/lamp/agent.ts, pro=/agents/desk/agent.ts#other',
  variants: ['flash', 'pro'],
});
const underWay = run({ id: 'here', endedAt: null });
const elsewhere = run({ id: 'elsewhere', endedAt: null, running: true });
const open = run({ id: 'open', endedAt: null });
const remote = run({ id: 'remote', agent: 'https://example.com/agent', scorings: 0, outcome: null });
const all = [named, failed, both, underWay, elsewhere, open, remote];

const found = (query: RunQuery) => all.filter(runFilter(query)).map(({ id }) => id);

describe('runFilter()', () => {
  it.each([
    ['a word of the name in any case', { text: 'SHORTER' }, [named]],
    ['several words in any order', { text: 'prompt lamp' }, [named]],
    ['an id', { text: '1102-10' }, [failed]],
    ['a short hash', { text: 'abcdef0' }, [named]],
    ['an eval set', { set: 'smoke' }, [failed]],
    ['an app that has one of two variants', { app: 'desk' }, [failed, both]],
    ['an agent of a variant', { agent: 'desk' }, [failed, both]],
    ['an agent from elsewhere', { agent: 'https://example.com/agent' }, [remote]],
    ['a variant', { variant: 'pro' }, [both]],
    ['the beginning of a commit', { commit: 'abcd' }, [named]],
    ['a verdict', { verdict: 'failed' }, [failed]],
    ['runs under way', { verdict: 'under-way' }, [underWay, elsewhere]],
    ['unfinished runs', { verdict: 'unfinished' }, [open]],
    ['the earliest start', { from: 5000 }, [named]],
    ['chosen ids', { ids: `${named.id} here` }, [named, underWay]],
  ] as const)('finds runs by %s', (_, query, expected) => {
    expect(found(query)).toEqual(expected.map(({ id }) => id));
  });

  it('excludes the end of a time range', () => {
    expect(found({ until: 5000 })).not.toContain(named.id);
    expect(found({ until: 5001 })).toContain(named.id);
  });

  it('is a conjunction: each part of a query narrows what another one finds', () => {
    const part = fc.constantFrom<RunQuery>(
      {},
      { text: 'home' },
      { text: 'lamp 2026' },
      { verdict: 'passed' },
      { agent: 'lamp' },
      { set: 'home' },
      { from: 2000 },
      { until: 4000 },
    );
    fc.assert(
      fc.property(part, part, (one, other) => {
        const both = found({ ...one, ...other });
        const keys = Object.keys(one).filter((key) => key in other);
        if (keys.length === 0) expect(both).toEqual(found(one).filter((id) => found(other).includes(id)));
        else expect(found(other)).toEqual(expect.arrayContaining(both));
      }),
      { numRuns: numRuns(500) },
    );
  });
});

it('keepsAll() ignores the order only', () => {
  expect(keepsAll({ sort: 'oldest', app: undefined })).toBe(true);
  expect(keepsAll({ app: 'lamp' })).toBe(false);
});

it('a run is as it was in memory until it begins or ends here', () => {
  let isHere = true;
  const listedHere = listedRuns(apps, () => isHere);
  const first = listedHere('a', named.listing);
  expect(listedHere('a', named.listing)).toBe(first);
  expect(first.result).toBe('under-way');
  isHere = false;
  expect(listedHere('a', named.listing).result).toBe('passed');
});

describe('inRunOrder()', () => {
  const facts = fc.record({
    passed: fc.nat({ max: 4 }),
    failed: fc.nat({ max: 4 }),
    endedAt: fc.option(fc.integer({ min: 1000, max: 1010 })),
  });
  const history = fc
    .array(facts, { maxLength: 30 })
    .map((many) => many.map((one, index) => run({ ...one, id: `run ${index}` })));
  const number: Readonly<Record<RunOrder, (run: ListedRun) => number | null>> = {
    newest: () => 0,
    oldest: () => 0,
    'least-passed': ({ passRate }) => passRate,
    'most-passed': ({ passRate }) => passRate,
    longest: ({ duration }) => duration,
    shortest: ({ duration }) => duration,
  };
  const isFalling = (order: RunOrder) => order === 'most-passed' || order === 'longest';

  it.each(['least-passed', 'most-passed', 'longest', 'shortest'] as const)(
    'sorts by %s, with unknown numbers last and equal ones newest first, and loses none',
    (order) => {
      fc.assert(
        fc.property(history, (many) => {
          const sorted = inRunOrder(many, order);
          expect(new Set(sorted)).toEqual(new Set(many));
          expect(sorted).toHaveLength(many.length);
          for (const [index, run] of sorted.entries()) {
            const next = sorted[index + 1];
            if (next === undefined) break;
            const [own, other] = [number[order](run), number[order](next)];
            if (own === null) expect(other).toBeNull();
            else if (other !== null && own !== other) expect(own > other).toBe(isFalling(order));
            if (own === other) expect(many.indexOf(run)).toBeLessThan(many.indexOf(next));
          }
        }),
        { numRuns: numRuns(500) },
      );
    },
  );

  it('reverses the newest first for the oldest first', () => {
    expect(inRunOrder(all, 'oldest')).toEqual(all.toReversed());
    expect(inRunOrder(all)).toEqual(all);
  });

  it('takes an unfinished run for one of unknown pass rate, not for 0', () => {
    const worst = run({ id: 'worst', passed: 0, failed: 3 });
    expect(inRunOrder([open, worst], 'least-passed')[0]?.id).toBe('worst');
    expect(inRunOrder([open, worst], 'most-passed')[0]?.id).toBe('worst');
  });
});
