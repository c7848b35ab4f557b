import type { ShownOutcome } from '@agent-criteria/results/text';
import type { RunListing } from '@agent-criteria/runner';
import type { RunResult, RunState } from '../api.ts';
import { type App, appOfAgent } from '../apps/app.ts';
import { shownListing } from './run-folder.ts';

/** A run with what lists filter and sort by. */
export interface ListedRun {
  /** The name of its folder. */
  readonly id: string;
  readonly listing: RunListing;
  /** The app whose agent ran, or `null`. */
  readonly app: string | null;
  /** Its agents, by app, or as recorded if they are not in this studio. */
  readonly agents: readonly string[];
  readonly outcome: ShownOutcome | null;
  readonly state: RunState;
  readonly result: RunResult;
  /** Share of cases that passed, from 0 to 1, or `null` if it is not known. */
  readonly passRate: number | null;
  /** Milliseconds from start to end, or `null` for an unfinished run. */
  readonly duration: number | null;
  /** Lowercase text that words are searched in. */
  readonly searched: string;
}

/** Creates a function that derives these facts once for each listing. */
export function listedRuns(apps: readonly App[], isUnderWayHere: (id: string) => boolean) {
  const known = new WeakMap<RunListing, ListedRun>();
  return (id: string, listing: RunListing): ListedRun => {
    const isHere = isUnderWayHere(id);
    const before = known.get(listing);
    if (before !== undefined && (before.state === 'here') === isHere) return before;
    const run = listedRun(apps, id, listing, isHere);
    known.set(listing, run);
    return run;
  };
}

function listedRun(apps: readonly App[], id: string, listing: RunListing, isHere: boolean): ListedRun {
  const { name = '', sets, variants = [], commit, startedAt, endedAt, summary } = listing;
  const app = appOfAgent(apps, listing.agent)?.name ?? null;
  const agents = [...new Set(agentsOf(listing).map((agent) => appOfAgent(apps, agent)?.name ?? agent))];
  const outcome = shownListing(listing);
  const state = isHere ? 'here' : listing.running ? 'elsewhere' : endedAt === null ? 'open' : 'finished';
  const result = resultOf(listing, state, outcome);
  const isOver = state === 'finished' && result !== 'unreadable';
  return {
    id,
    listing,
    app,
    agents,
    outcome,
    state,
    result,
    passRate: isOver && summary !== null && summary.total > 0 ? summary.verdicts.passed / summary.total : null,
    duration: isOver && endedAt !== null ? Math.max(endedAt - startedAt, 0) : null,
    searched: [name, id, ...sets, ...agents, ...variants, commit?.hash ?? ''].join('\n').toLowerCase(),
  };
}

function resultOf({ problem, summary }: RunListing, state: RunState, outcome: ShownOutcome | null): RunResult {
  if (state === 'here' || state === 'elsewhere') return 'under-way';
  if (problem !== undefined) return 'unreadable';
  if (state === 'open') return 'unfinished';
  if (summary === null) return 'not-judged';
  return outcome?.verdict ?? summary.verdict;
}

/** Takes apart the text `a=agent.ts, b=other.ts` of a run with variants. */
function agentsOf({ agent, variants = [] }: RunListing): readonly string[] {
  const starts: number[] = [];
  for (const variant of variants) {
    const start = starts.length === 0 ? 0 : agent.indexOf(`, ${variant}=`, starts.at(-1)) + 2;
    if (!agent.startsWith(`${variant}=`, start)) return [agent];
    starts.push(start);
  }
  if (starts.length === 0) return [agent];
  return starts.map((start, index) => {
    const end = starts[index + 1];
    return agent.slice(start + (variants[index]?.length ?? 0) + 1, end === undefined ? undefined : end - 2);
  });
}
