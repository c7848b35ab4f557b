import type { ShownOutcome } from '@agent-criteria/results/text';
import type { RunListing } from '@agent-criteria/runner';
import type { RunResult, RunState } from '../api.ts';
import { type App, appOfAgent } from '../apps/app.ts';
import { agentsOfRun } from './agents-of-run.ts';
import { shownListing } from './run-folder.ts';

/** A run with what lists filter and sort by. */
export interface ListedRun {
  /** The name of its folder. */
  readonly id: string;
  readonly listing: RunListing;
  /** The apps whose agents ran: none if they are not in this studio, several for variants of several apps. */
  readonly apps: readonly string[];
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
  const ran = agentsOfRun(listing).map((agent) => ({ agent, app: appOfAgent(apps, agent)?.name }));
  const agents = [...new Set(ran.map(({ agent, app }) => app ?? agent))];
  const outcome = shownListing(listing);
  const state = isHere ? 'here' : listing.running ? 'elsewhere' : endedAt === null ? 'open' : 'finished';
  const result = resultOf(listing, state, outcome);
  const isOver = state === 'finished' && result !== 'unreadable';
  return {
    id,
    listing,
    apps: [...new Set(ran.flatMap(({ app }) => app ?? []))],
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
