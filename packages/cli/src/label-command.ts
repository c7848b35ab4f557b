import { readFile } from 'node:fs/promises';
import {
  calibrate,
  exchangeOf,
  type Judged,
  type Judgement,
  type Kind,
  kindOf,
  kindToLabel,
  raterOf,
  thingsToLabel,
} from '@agent-criteria/analysis';
import { drawText, kindName } from '@agent-criteria/analysis/text';
import { CriteriaError, didYouMean } from '@agent-criteria/core';
import { counted } from '@agent-criteria/core/host';
import { settingsOfFlags } from '@agent-criteria/project/config';
import { shellWord, writeWhole } from '@agent-criteria/project/files';
import {
  ANONYMOUS,
  inDrawnOrder,
  labellerName,
  type OpenedLabels,
  openLabelled,
  usualDraw,
} from '@agent-criteria/project/runs';
import { type LabelRow, labelsCsv, readLabelsCsv } from '@agent-criteria/report';
import { safe } from '@agent-criteria/report/terminal';
import { currentLabels, type Draw, groupBy, type Label, labelledKey, labelledOf } from '@agent-criteria/results';
import { usage } from './arguments.ts';
import { askForLabels, labelledText } from './ask-for-labels.ts';
import type { Given } from './command-flags.ts';
import { oneOf, unknownCriterion, wholeNumber } from './flag-values.ts';
import type { Io } from './io.ts';
import { maskOf } from './masked.ts';
import { openProject } from './project.ts';

const NAMELESS = `Your user name is unknown (USER is not set), so your labels are kept as those of "${ANONYMOUS}"; give your name with --by NAME.\n`;

/** Lets a person label the answers of a run as pass or fail. */
export async function labelCommand({ flags, positionals }: Given<'label'>, io: Io): Promise<number> {
  if (flags.import !== undefined && flags.export !== undefined) {
    throw usage('use either --import or --export: import first, then export');
  }
  const known = flags.by ?? labellerName(io.environment);
  const by = known ?? ANONYMOUS;
  if (by.trim() === '') throw usage('--by needs a name');
  const asked = oneOf('draw', flags.draw, ['by-verdict', 'random']);
  const project = await openProject(undefined, settingsOfFlags(flags), io);
  const opened = openLabelled(positionals[0], project, wholeNumber('scoring', flags.scoring));
  if (known === null && flags.export === undefined) io.err(NAMELESS);
  if (flags.import !== undefined) return importLabels(flags.import, opened, by, io);
  const judged = await opened.judged();
  const kind = chosenKind(opened, judged, flags);
  const things = thingsToLabel(judged, kind);
  if (things.length === 0) {
    const message = `there is nothing to label in ${opened.name}: no verdict of ${kindName(kind)}`;
    throw new CriteriaError({ code: 'EMPTY', message });
  }
  const draw = asked ?? usualDraw(things);
  if (flags.export !== undefined) return exportLabels(flags.export, { opened, things, draw }, flags.by, io);
  if (io.keyboard === undefined) {
    throw usage('labelling needs a terminal: use --export FILE.csv and --import FILE.csv to label in a spreadsheet');
  }
  const drawn = inDrawnOrder(things, opened.run.info.id, draw);
  const rater = raterOf(kind.criterion, judged.instruments);
  const counts = await askForLabels({ opened, kind, things: drawn, draw, rater, by, keyboard: io.keyboard, io });
  const next = `agent-criteria calibrate ${shellWord(opened.name)}`;
  io.out(
    `\nLabelled ${counts.now} now; ${labelledText(counts, things.length, by)} in total. To see how far the ${rater} agrees: ${safe(next)}\n`,
  );
  return 0;
}

/** Returns the kind that the flags name, or else the only criterion with a judge. */
function chosenKind(
  { name, run }: OpenedLabels,
  { judgements, instruments }: Judged,
  flags: Given<'label'>['flags'],
): Kind {
  const { criterion: named } = flags;
  const rubric = flags.rubric ?? null;
  const known = instruments.map(({ criterion }) => criterion);
  if (named !== undefined && !known.includes(named)) throw unknownCriterion(name, named, known);
  const judges = instruments.filter(({ judges }) => judges.length > 0).map(({ criterion }) => criterion);
  if (named === undefined && judges.length > 1) {
    throw usage(
      `several criteria of ${run.info.id} have a judge: choose one with --criterion ${judges.join(' or --criterion ')}`,
    );
  }
  const criterion = named ?? judges[0] ?? null;
  if (rubric !== null && criterion === null)
    throw usage('--rubric needs --criterion: name the criterion that has the rubric');
  const own = judgements.filter((one) => one.criterion === criterion);
  const rubrics = [...new Set(own.flatMap((one) => one.rubric ?? []))];
  if (rubric !== null && !rubrics.includes(rubric)) {
    const there =
      didYouMean(rubric, rubrics) || (rubrics.length === 0 ? '; it has none' : `; it has ${rubrics.join(', ')}`);
    throw usage(`${criterion} has no rubric "${rubric}" in this run${there}`);
  }
  return kindToLabel(judgements, criterion, rubric);
}

async function importLabels(file: string, opened: OpenedLabels, by: string, io: Io): Promise<number> {
  const judged = await opened.judged();
  const known = new Set(judged.judgements.map(labelledKey));
  const read = readLabelsCsv(await textOf(file), {
    file,
    by,
    at: Date.now(),
    check: (labelled) => {
      if (known.has(labelledKey(labelled))) return null;
      const { setId, caseId } = labelled;
      const isThere = opened.run.sets.some(({ id }) => id === setId);
      if (!isThere) return `the run ${opened.name} has no eval set "${setId}"`;
      return `the scoring has nothing of "${caseId}" with this variant, repeat, turn, metric_name and rubric_id`;
    },
  });
  const before = new Map(currentLabels(opened.labels()).map((label) => [keyOf(label), label]));
  const mask = maskOf(io);
  const changed = read.filter((label) => {
    const own = before.get(keyOf(label));
    // Labels are saved with their secrets masked.
    const reason = mask.json(label.reason);
    return own?.label !== label.label || own.reason !== reason || own.drawn !== label.drawn;
  });
  const writer = opened.write();
  try {
    for (const label of changed) writer.add(label);
  } finally {
    writer.close();
  }
  const same = read.length - changed.length;
  io.out(
    `Imported ${counted(changed.length, 'label')} from ${safe(file)}${same > 0 ? `; ${same} were there already` : ''}.\n`,
  );
  const imported = new Set(read.map((label) => JSON.stringify(kindOf(label))));
  const { kinds } = calibrate(judged, opened.labels());
  for (const kind of kinds) {
    const { criterion, rubric, unit, draw } = kind;
    const chosen = draw.drawn === 'by-verdict' ? null : drawText(kind);
    if (chosen === null || !imported.has(JSON.stringify({ criterion, rubric, unit }))) continue;
    io.out(`${safe(kindName(kind))}: ${chosen}. agent-criteria calibrate weights them by verdict.\n`);
  }
  return 0;
}

function keyOf(label: Label): string {
  return JSON.stringify([label.by, labelledKey(label)]);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const message = isMissing ? 'this file does not exist' : `this file cannot be read: ${(error as Error).message}`;
    throw new CriteriaError(
      { code: isMissing ? 'FILE_NOT_FOUND' : 'FILE_UNREADABLE', file, message },
      { cause: error },
    );
  }
}

/** Writes one row per label (only this person's labels, if one is named) and one per unlabelled answer. */
async function exportLabels(
  file: string,
  {
    opened,
    things,
    draw,
  }: { readonly opened: OpenedLabels; readonly things: readonly Judgement[]; readonly draw: Draw },
  by: string | undefined,
  io: Io,
): Promise<number> {
  const ofPerson = currentLabels(opened.labels()).filter((label) => by === undefined || label.by === by);
  const labels = groupBy(ofPerson, labelledKey);
  const rows: LabelRow[] = [];
  let labelled = 0;
  for (const thing of inDrawnOrder(things, opened.run.info.id, draw)) {
    const one = await opened.run.case(thing);
    const about = { ...labelledOf(thing), ...(one === undefined ? {} : exchangeOf(one, thing)) };
    const own = labels.get(labelledKey(thing)) ?? [];
    labelled += own.length;
    for (const { label, reason, by, at, drawn } of own) rows.push({ ...about, label, reason, by, at, drawn });
    if (own.length === 0) rows.push({ ...about, label: null, reason: null, by: by ?? null, at: null, drawn: draw });
  }
  await writeWhole(file, labelsCsv(rows));
  io.out(`Written: ${safe(file)}, ${counted(rows.length, 'row')}, ${labelled} of them labelled.\n`);
  return 0;
}
