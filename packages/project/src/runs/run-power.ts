import { type PowerPlans, powerPlans } from '@agent-criteria/analysis';
import { CriteriaError } from '@agent-criteria/core';
import { type ConversationCosts, conversationCosts, tokenPrices } from '@agent-criteria/results';
import type { Project } from '../config/open-project.ts';
import { openOutcomes, type RunsProject } from './open-outcomes.ts';

/** The power of comparisons with a run, and what such comparisons cost. */
export interface RunPower {
  /** The run's name in commands. */
  readonly name: string;
  readonly power: PowerPlans;
  /** The average costs of a conversation in the run. */
  readonly each: ConversationCosts;
}

/**
 * Computes the drops that a comparison with a run is likely to detect, for more and fewer cases and repeats.
 * @param minEffect The smallest change that counts, 0 to 1. Default 0.05.
 * @throws CriteriaError as `openOutcomes`; USAGE for a run whose cases stopped early, or that is not informative.
 */
export async function runPower(
  word: string | undefined,
  project: RunsProject & Pick<Project, 'config'>,
  minEffect?: number,
): Promise<RunPower> {
  const { name, outcomes, record } = await openOutcomes(word, project);
  if (outcomes.stoppedEarly !== undefined) {
    throw unusable(
      `the cases of the run ${name} stopped when their own results were clear (--num_runs auto), so it does not show how much chance there is in a comparison; name a run with a fixed number of repeats`,
    );
  }
  const power = powerPlans(outcomes, minEffect);
  if ('unknown' in power)
    throw unusable(`the run ${name} does not show what a comparison would find: ${power.unknown}`);
  const each = await conversationCosts(record, outcomes.variant, tokenPrices(project.config.settings.prices));
  return { name, power, each };
}

function unusable(message: string): CriteriaError {
  return new CriteriaError({ code: 'USAGE', message });
}
