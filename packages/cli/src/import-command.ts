import { stat } from 'node:fs/promises';
import {
  type ConvertedCheck,
  conversationPreview,
  FORMAT_NAMES,
  FORMATS,
  type Imported,
  type ImportOptions,
  importCases,
  importIntoRuns,
  lossText,
  openConversations,
  type ReadFile,
  TEXT_NAMES,
} from '@agent-criteria/convert';
import { CriteriaError } from '@agent-criteria/core';
import { counted } from '@agent-criteria/core/host';
import { writeEvalConfig, writeEvalSet } from '@agent-criteria/formats/parse';
import type { Project } from '@agent-criteria/project';
import { settingsOfFlags } from '@agent-criteria/project/config';
import { jsonText, shellWord, writeWhole } from '@agent-criteria/project/files';
import { checkRunName, nameOfRun } from '@agent-criteria/project/runs';
import { oneLine, safe, table } from '@agent-criteria/report/terminal';
import { usage } from './arguments.ts';
import type { Given } from './command-flags.ts';
import { oneOf, wholeNumber } from './flag-values.ts';
import { type ImportProgress, showImportProgress } from './import-progress.ts';
import type { Io } from './io.ts';
import { printJson } from './print.ts';
import { openProject } from './project.ts';

type Flags = Given<'import'>['flags'];

/** Makes a run or an eval set of recorded conversations. */
export async function importCommand({ flags, positionals, form }: Given<'import'>, io: Io): Promise<number> {
  if (positionals.length === 0) throw usage(`name the files of conversations: ${form}`);
  checkFlags(flags);
  const project = await openProject(undefined, settingsOfFlags(flags), io);
  if (flags.dry_run === true) return showReading(optionsOf(positionals, flags, project), flags, io);
  const progress = showImportProgress(io, await sizeOf(positionals), flags.json === true);
  try {
    const options = { ...optionsOf(positionals, flags, project), ...progress, signal: io.signal };
    return await (flags.cases === undefined ? toRun : toCases)(options, flags, { project, progress, io });
  } catch (error) {
    if (!io.signal.aborted) throw error;
    io.err('Interrupted: nothing was imported.\n');
    return 130;
  } finally {
    progress.end();
  }
}

function checkFlags(flags: Flags): void {
  if (flags.cases === undefined && flags.force === true) throw usage('--force is for the file of --cases');
  if (flags.seed !== undefined && flags.sample === undefined) throw usage('--seed is for --sample N');
  const ofRun = [flags.name, flags.by].some((value) => value !== undefined);
  if (flags.cases !== undefined && ofRun) throw usage('--name and --by are for runs, and --cases makes an eval set');
}

function optionsOf(files: readonly string[], flags: Flags, { environment, config }: Project): ImportOptions {
  return {
    files,
    as: oneOf('as', flags.as, FORMATS),
    columns: flags.column,
    where: flags.where,
    grep: flags.grep,
    unique: flags.unique,
    sample: wholeNumber('sample', flags.sample),
    seed: flags.seed,
    passes: flags.pass,
    stop: flags.stop,
    skipInvalid: flags.skip_invalid,
    hasPrices: Object.keys(config.settings.prices ?? {}).length > 0,
    maskSecrets: config.settings.maskSecrets,
    environment: environment.variables,
    alsoMasked: environment.inFiles,
  };
}

interface Context {
  readonly project: Project;
  readonly progress: ImportProgress;
  readonly io: Io;
}

async function toRun(options: ImportOptions, flags: Flags, { project, progress, io }: Context): Promise<number> {
  if (flags.name !== undefined) checkRunName(flags.name, project.runsFolder);
  const { redact } = project.config.settings;
  const imported = await importIntoRuns({
    ...options,
    redact,
    name: flags.name,
    by: flags.by,
    runsFolder: project.runsFolder,
    onContinue: () => io.err('Continuing the import of these files that was cut off.\n'),
  });
  progress.end();
  const { folder } = imported;
  const run = nameOfRun(folder, project);
  if (flags.json === true) printJson({ run, folder, found: imported.found, ...plain(imported) }, io);
  else {
    const { cases, repeats } = imported;
    const often = repeats === 1 ? '' : `, ${repeats} repeats each`;
    const found =
      imported.found === 0 ? '' : `Found: ${counted(imported.found, 'conversation')} of the import that was cut off\n`;
    io.out(`${reportOf(imported)}${found}Run ${safe(run)}: ${counted(cases, 'case')}${often}\n`);
    io.out(`\nNext: ${safe(nextSteps(run, imported))}\n`);
  }
  return 0;
}

function nextSteps(run: string, { labels, criteria, files }: Imported): string {
  const score =
    criteria.length === 0
      ? `agent-criteria score ${shellWord(run)}`
      : scoreByCriteria(
          run,
          files.map(({ file }) => file),
        );
  return labels.pass + labels.fail === 0 ? score : `${score}, then agent-criteria calibrate ${shellWord(run)}`;
}

/** Scores a run by the criteria of its files, which only `--cases` writes, because an eval set has their config beside it. */
function scoreByCriteria(run: string, files: readonly string[]): string {
  const write = `agent-criteria import ${files.map((file) => shellWord(file)).join(' ')} --cases criteria.evalset.json`;
  return `${write} for the criteria, then agent-criteria score ${shellWord(run)} --config-file-path criteria_config.json`;
}

async function toCases(options: ImportOptions, flags: Flags, { progress, io }: Context): Promise<number> {
  const file = flags.cases ?? '';
  if (flags.force !== true && (await exists(file))) {
    throw usage(`${file} exists already: name another file, or overwrite it with --force`);
  }
  const configFile = configBeside(file);
  const imported = await importCases({ ...options, evalSetId: setIdIn(file) });
  const { evalSet, config } = imported;
  if (config !== null && flags.force !== true && (await exists(configFile))) {
    const message = `${configFile} exists already, and the criteria would be written there: name another file of --cases, or overwrite both with --force`;
    throw usage(message);
  }
  await writeWhole(file, jsonText(writeEvalSet(evalSet)));
  if (config !== null) await writeWhole(configFile, jsonText(writeEvalConfig(config)));
  progress.end();
  if (flags.json === true) {
    const written = { file, config_file: config === null ? null : configFile, cases: evalSet.evalCases.length };
    printJson({ ...written, ...plain(imported) }, io);
  } else {
    io.out(`${reportOf(imported)}Written: ${safe(file)}, ${counted(evalSet.evalCases.length, 'case')}\n`);
    const criteria = Object.keys(config?.criteria ?? {});
    if (config !== null) io.out(`Written: ${safe(configFile)}, ${counted(criteria.length, 'criterion', 'criteria')}\n`);
    const judgedBy = config === null ? '' : ` --config-file-path ${shellWord(configFile)}`;
    io.out(`\nNext: agent-criteria eval AGENT ${safe(shellWord(file) + judgedBy)}\n`);
  }
  return 0;
}

/** Returns the file for the criteria of an eval set: `evals/a.evalset.json` has `evals/a_config.json`. */
function configBeside(file: string): string {
  return file.replace(/(?:\.evalset)?(?:\.jsonl?)?$/, '_config.json');
}

/** Returns the id that the name of an eval set file gives it. */
function setIdIn(file: string): string {
  const [name = ''] = (file.split(/[\\/]/).at(-1) ?? '').split('.', 1);
  return name.replace(/\W+/g, '_') || 'conversations';
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

async function sizeOf(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Shows how the files are read, and the first conversation. Reads no further. */
async function showReading(options: ImportOptions, flags: Flags, io: Io): Promise<number> {
  const opened = openConversations(options);
  for await (const conversation of opened.conversations) {
    const first = conversationPreview(conversation);
    const { id, where, label, turns } = first;
    const shown = { files: opened.files, first };
    if (flags.json === true) printJson(JSON.parse(JSON.stringify(shown)), io);
    else {
      io.out(opened.files.map(fileText).join(''));
      io.out(`\nThe first conversation (${safe(where)})${id === null ? '' : `: ${oneLine(id, 60)}`}\n`);
      const rows = turns.flatMap(({ user, calls, answer }) => [
        [{ text: '  user' }, { text: oneLine(user, 90) }],
        ...calls.map(({ name, args }) => [
          { text: '  call' },
          { text: oneLine(`${name} ${JSON.stringify(args)}`, 90) },
        ]),
        ...(answer === '' ? [] : [[{ text: '  answer' }, { text: oneLine(answer, 90) }]]),
      ]);
      io.out(table([...rows, ...(label === null ? [] : [[{ text: '  label' }, { text: label }]])]));
      io.out('\nNothing was written: leave out --dry-run to import.\n');
    }
    return 0;
  }
  throw new CriteriaError({ code: 'EMPTY', message: 'there is no conversation in these files' });
}

function fileText({ file, text, format, columns, guessed }: ReadFile): string {
  const shown = Object.entries(columns).map(
    ([name, path]) => `${name}=${path}${guessed.includes(name) ? '' : ' (given)'}`,
  );
  const read = shown.length === 0 ? '' : `\n  columns: ${shown.map(safe).join(', ')}`;
  return `${safe(file)}: ${FORMAT_NAMES[format]}, ${TEXT_NAMES[text]}${read}\n`;
}

function reportOf(imported: Imported): string {
  const { files, conversations, turns, calls, labels, leftOut, criteria, losses } = imported;
  const size = `${counted(conversations, 'conversation')}, ${counted(turns, 'turn')}, ${counted(calls, 'tool call')}`;
  const labelled = labels.pass + labels.fail;
  const lines = [
    ...files.map(fileText),
    `Read: ${size}\n`,
    ...(labelled === 0 ? [] : [`Labels: ${labels.pass} pass, ${labels.fail} fail\n`]),
    ...leftOutLines(leftOut),
    ...(criteria.length === 0 ? [] : ['Criteria:\n', ...criteria.map(criterionLine)]),
    ...(losses.length === 0 ? [] : ['Not taken over:\n', ...losses.map((loss) => `  ${safe(lossText(loss))}\n`)]),
  ];
  return lines.join('');
}

/** Writes `  3 × icontains → response_checks (contains, ignore_case)`, with how the criterion differs. */
function criterionLine({ from, to, difference, count }: ConvertedCheck): string {
  const how = difference === null ? '' : `; ${difference}`;
  return `  ${count.toLocaleString('en')} × ${oneLine(from, 80)} → ${safe(to)}${how}\n`;
}

function leftOutLines({ filtered, duplicates, notSampled }: Imported['leftOut']): readonly string[] {
  const all: readonly (readonly [number, string])[] = [
    [filtered, 'without the text of --grep'],
    [duplicates, 'with the same messages of the user as an earlier one'],
    [notSampled, 'not drawn'],
  ];
  return all.flatMap(([count, why]) => (count === 0 ? [] : [`Left out: ${counted(count, 'conversation')} ${why}\n`]));
}

function plain({ files, evalSetId, conversations, turns, calls, labels, leftOut, criteria, losses }: Imported) {
  return {
    files: files.map((file) => ({ ...file, guessed: [...file.guessed] })),
    eval_set_id: evalSetId,
    conversations,
    turns,
    calls,
    labels: { ...labels },
    left_out: { filtered: leftOut.filtered, duplicates: leftOut.duplicates, not_sampled: leftOut.notSampled },
    criteria: criteria.map((check) => ({ ...check })),
    losses: losses.map((loss) => ({ ...loss })),
  };
}
