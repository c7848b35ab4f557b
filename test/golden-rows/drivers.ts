import type { Driver } from './driver.ts';
import { caseDrivers } from './drivers/cases.ts';
import { evaluationServiceDrivers } from './drivers/evaluation-service.ts';
import { finalResponseMatchDrivers } from './drivers/final-response-match.ts';
import { hallucinationDrivers } from './drivers/hallucinations.ts';
import { meanDrivers } from './drivers/means.ts';
import { perTurnDrivers } from './drivers/per-turn.ts';
import { recordedEventDrivers } from './drivers/recorded-events.ts';
import { responseMatchDrivers } from './drivers/response-match.ts';
import { rougeDrivers } from './drivers/rouge.ts';
import { rubricDrivers } from './drivers/rubrics.ts';
import { simulatedUserDrivers } from './drivers/simulated-users.ts';
import { statisticsDrivers } from './drivers/statistics.ts';
import { textDrivers } from './drivers/texts.ts';
import { thresholdDrivers } from './drivers/thresholds.ts';
import { toolParameterDrivers } from './drivers/tool-parameters.ts';
import { trajectoryDrivers } from './drivers/trajectory.ts';

/** The drivers, one for every group of rows that is run. */
export const drivers: readonly Driver[] = [
  ...rougeDrivers,
  ...responseMatchDrivers,
  ...trajectoryDrivers,
  ...toolParameterDrivers,
  ...textDrivers,
  ...meanDrivers,
  ...thresholdDrivers,
  ...caseDrivers,
  ...finalResponseMatchDrivers,
  ...rubricDrivers,
  ...hallucinationDrivers,
  ...perTurnDrivers,
  ...simulatedUserDrivers,
  ...evaluationServiceDrivers,
  ...recordedEventDrivers,
  ...statisticsDrivers,
];
