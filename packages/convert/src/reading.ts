import type { Problem } from '@agent-criteria/core';
import type { Conversions } from './criteria/conversions.ts';
import type { RubricIds } from './criteria/rubric-ids.ts';
import type { LossList } from './losses.ts';
import type { OpenConversationsOptions, ReadFile } from './open-options.ts';
import type { EvalsState } from './openai-evals/evals-state.ts';
import type { ColumnName, parseColumns } from './rows/columns.ts';
import type { parseConditions } from './rows/conditions.ts';

/** All that the readers of the formats share. */
export interface Reading {
  readonly options: OpenConversationsOptions;
  readonly named: ReturnType<typeof parseColumns>;
  /** The named columns that some record has. */
  readonly found: Set<ColumnName>;
  readonly where: ReturnType<typeof parseConditions>;
  readonly losses: LossList;
  readonly files: ReadFile[];
  readonly problems: Problem[];
  /** The checks of files that became criteria. */
  readonly conversions: Conversions;
  readonly rubricIds: RubricIds;
  readonly evals: EvalsState;
}

/** Notes a record that cannot be read: as left out if the user asked for that, otherwise as a mistake. */
export function refuse({ options, losses, problems }: Reading, found: readonly Problem[], where: string): void {
  if (options.skipInvalid === true)
    losses.add(`records that cannot be read (${found[0]?.message ?? ''}), left out`, where);
  else problems.push(...found);
}
