import { tokenPrices } from '@agent-criteria/results';
import type { TurnRunAgentEstimate, TurnRunEstimate, TurnUsage } from '../api.ts';
import { estimateRun } from '../runs/estimate-run.ts';
import { openedRun } from '../runs/run-folder.ts';
import type { Studio } from '../studio.ts';
import type { PreparedTurnRun } from './prepare-turn-run.ts';
import type { RecordedTurns, SourceTurn } from './source-turn.ts';
import { turnsFrom, turnUsage } from './turn-usage.ts';

/**
 * Estimates what a turn costs once more from what it cost before. An agent that runs beside is known only from the run
 * of the case, if that run had it, too.
 */
export async function estimateTurnRun(studio: Studio, ready: PreparedTurnRun): Promise<TurnRunEstimate> {
  const { source, prepared, unscored, variants } = ready;
  const prices = tokenPrices(prepared.project.config.settings.prices);
  const agents: TurnRunAgentEstimate[] = [];
  for (const [place, agent] of ready.agents.entries()) {
    const measured = place === 0 ? source.recorded : await besideInRun(studio, source, agent.name);
    // With messages that are sent again, all turns are paid for once more.
    const from = agent.resent > 0 ? 0 : source.turn;
    const each: TurnUsage | null = measured === null ? null : turnUsage(turnsFrom(measured, from), prices);
    agents.push({ ...agent, each });
  }
  return {
    agents,
    judges: prepared.judged ? await estimateRun(prepared) : null,
    unscored,
    variants,
    notes: source.notes,
  };
}

async function besideInRun(studio: Studio, { of, turn }: SourceTurn, variant: string): Promise<RecordedTurns | null> {
  if (!('run' in of)) return null;
  const { run } = await openedRun(studio, of.run);
  if (run.info.variants?.some(({ name }) => name === variant) !== true) return null;
  const one = await run.case({ setId: of.set, caseId: of.case, variant });
  const recorded = one?.inferences[0]?.inference;
  if (recorded === undefined || recorded.invocations.length <= turn) return null;
  const { invocations, trace = [] } = recorded;
  return { invocations: invocations.slice(0, turn + 1), trace: trace.filter((span) => span.turn <= turn) };
}
