import { calibrate, calibrationFile, kindOf } from '@agent-criteria/analysis';
import { settingsOfFlags } from '@agent-criteria/project/config';
import { openLabelled } from '@agent-criteria/project/runs';
import { markdownCalibration } from '@agent-criteria/report';
import { consoleCalibration } from '@agent-criteria/report/console';
import { safe } from '@agent-criteria/report/terminal';
import { currentLabels } from '@agent-criteria/results';
import type { Given } from './command-flags.ts';
import { unknownCriterion, wholeNumber } from './flag-values.ts';
import type { Io } from './io.ts';
import { measurementFiles } from './measurement-files.ts';
import { printJson } from './print.ts';
import { openProject } from './project.ts';

/** Shows how closely a run's judges agree with human labels. */
export async function calibrateCommand({ flags, positionals }: Given<'calibrate'>, io: Io): Promise<number> {
  const { criterion } = flags;
  const outputs = measurementFiles(flags.output ?? []);
  const project = await openProject(undefined, settingsOfFlags(flags), io);
  const opened = openLabelled(positionals[0], project, wholeNumber('scoring', flags.scoring));
  const labels = currentLabels(opened.labels());
  const kinds = new Set(labels.map((label) => JSON.stringify(kindOf(label))));
  // Labels of whole cases are compared with every criterion as well.
  const ofCases = labels.some((label) => label.criterion === null);
  const judged = await opened.judged({
    wants: (kind) =>
      kinds.has(JSON.stringify(kind)) || (ofCases && kind.unit === 'conversation' && kind.rubric === null),
  });
  const known = judged.instruments.map(({ criterion: name }) => name);
  if (criterion !== undefined && !known.includes(criterion)) throw unknownCriterion(opened.name, criterion, known);
  const calibration = calibrate(judged, labels, { criterion });
  if (flags.json === true) printJson(calibration, io);
  else if (calibration.kinds.length + calibration.criteria.length > 0)
    io.out(consoleCalibration(calibration, opened.name, { color: io.color, width: io.width.out }));
  if (calibration.kinds.length + calibration.criteria.length === 0) {
    const which = criterion === undefined ? '' : ` for ${safe(criterion)}`;
    io.err(
      `Exit code 3: the run ${safe(opened.name)} has no labels${which}; add some with agent-criteria label ${safe(opened.name)}\n`,
    );
    return 3;
  }
  await outputs.write({
    json: () => calibrationFile(calibration, opened.run.info.id, new Date()),
    markdown: () => markdownCalibration(calibration, opened.name),
  });
  if (flags.json !== true) io.out(outputs.text);
  return 0;
}
