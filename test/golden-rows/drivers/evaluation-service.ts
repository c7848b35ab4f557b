import type { Json } from '@agent-criteria/core';
import { createSafety } from '@agent-criteria/criteria-safety/pure';
import { connectionOf } from '../../../packages/vertex-evaluation/src/connection.ts';
import type { Status } from '../as-lines-say.ts';
import { areaDriver, type Driver } from '../driver.ts';
import { askedTurn, judgedTurns } from '../judged-turns.ts';
import { heldConversation, type Mode, throughCore } from '../through-core.ts';

// Criteria scored by Google's evaluation service, which is scripted here.

async function judged(answer: (turn: number) => Json, turns: number, threshold: number, compat: Mode) {
  const requests: Json[] = [];
  const criterion = createSafety({
    transport: async (request: Json) => {
      requests.push(request);
      return answer(askedTurn({ messages: [{ parts: [{ text: JSON.stringify(request) }] }] }));
    },
  });
  const found = await throughCore({ criterion, ...judgedTurns(turns), threshold, compat });
  return { criterion: found.criterion, requests };
}

const results = (scores: readonly Json[]): Json => ({ metricResults: scores.map((score) => ({ score })) });

/** Returns the name of the requested metric. */
async function askedFor(compat: Mode): Promise<unknown> {
  const { requests } = await judged(() => results([1]), 1, 1, compat);
  return /"metricSpecName":"(\w+)"/.exec(JSON.stringify(requests))?.[1];
}

interface Summary {
  readonly summaryMetrics: readonly { readonly mean_score: Json }[] | null;
}

function connected(environment: Readonly<Record<string, string>>): unknown {
  const { connection, access } = connectionOf({}, environment);
  if (access.problems.length === 0) return connection?.by.replace('-', '_');
  const said = access.problems.map(({ code, message }) => `${code} ${message}`).join();
  if (/^MISSING_ENVIRONMENT .*the project is missing/.test(said)) return { error: 'project missing' };
  return /^MISSING_ENVIRONMENT .*set GOOGLE_API_KEY/.test(said) ? { error: 'no credentials' } : said;
}

export const evaluationServiceDrivers: readonly Driver[] = [
  areaDriver<{ scores: readonly (number | null)[]; threshold: number }, { score: number | null; status: Status }>(
    'vertex.overall',
    ({ input: { scores, threshold }, expected }) => {
      const conversation = { turns: scores, threshold, adk: { mean: 'sum', missing: 'dropped' } } as const;
      return heldConversation(conversation, expected, async (compat) => {
        return (await judged((turn) => results([scores[turn] ?? null]), scores.length, threshold, compat)).criterion;
      });
    },
  ),
  areaDriver<Summary, number | null>('vertex.score', async ({ input, expected }) => {
    const answer = results(input.summaryMetrics?.map((one) => one.mean_score) ?? []);
    const run = async (compat: Mode) => (await judged(() => answer, 1, 1, compat)).criterion.score;
    return { adk: expected, compat: await run('adk'), ours: await run(null) };
  }),
  areaDriver<{ env: Readonly<Record<string, string>> }, unknown>('vertex.client', ({ input, expected }) => ({
    adk: expected,
    ours: connected(input.env),
  })),
  areaDriver<unknown, { metricSpec: string }>('safety.version', async ({ expected }) => ({
    adk: expected.metricSpec,
    compat: await askedFor('adk'),
    ours: await askedFor(null),
    lines: ['safety-version'],
    expected: 'safety_v1',
    expectedInCompat: 'safety_v1',
  })),
];
