import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunRecord } from '@agent-criteria/results';
import { describe, expect, it, onTestFinished } from 'vitest';
import { allRuns } from '../../../test/runs.ts';
import { textOf } from './__fixtures__/runs.ts';
import { largeRun, runOfAll, unfinishedRun } from './__fixtures__/shapes.ts';
import { type Format, isFormat, type Reporter, reporters, writeReport } from './reporters.ts';

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'agent-criteria-report-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const formats = Object.entries(reporters) as [Format, Reporter][];

describe.each(formats)('the %s report', (format, reporter) => {
  it('is the only file written to the folder', async () => {
    const folder = emptyFolder();
    const file = join(folder, `report${reporter.extension}`);
    writeFileSync(file, 'what was there before');
    expect(await writeReport(unfinishedRun(), format, file)).toEqual([file]);
    expect(readFileSync(file, 'utf8')).toBe(await textOf(reporter.write(unfinishedRun())));
    expect(readdirSync(folder)).toEqual([`report${reporter.extension}`]);
  });

  it('states that a run is not finished', async () => {
    const unfinished = await textOf(reporter.write(unfinishedRun()));
    const said = /not finished|"finished": false|"run_finished": false|,false\r\n|"endedAt":null/;
    expect(unfinished).toMatch(said);
    const finished = { ...unfinishedRun().info, endedAt: 1, units: { total: 9, finished: 9 } };
    expect(await textOf(reporter.write({ ...unfinishedRun(), info: finished }))).not.toMatch(said);
  });

  it('is generated in pieces whose size does not grow with the number of cases', async () => {
    const longest = async (cases: number) => {
      let most = 0;
      for await (const text of reporter.write(largeRun(cases), { limit: 2 })) most = Math.max(most, text.length);
      return most;
    };
    const few = allRuns ? 400 : 200;
    // The ids and counts of more cases have more digits.
    expect(await longest(few * 10)).toBeLessThan((await longest(few)) * 1.3);
  });
});

describe('writeReport()', () => {
  it('rejects an unknown format', async () => {
    expect(['console', 'json', 'adk', 'junit', 'markdown', 'csv', 'html'].every(isFormat)).toBe(true);
    expect(['toString', '__proto__', 'pdf'].some(isFormat)).toBe(false);
    await expect(writeReport(runOfAll(), 'pdf' as Format, 'x')).rejects.toThrow(
      /no report format "pdf"; use one of console/,
    );
  });

  it('writes ADK’s files for all sets to a folder', async () => {
    const folder = emptyFolder();
    expect(await writeReport(runOfAll(), 'adk', folder)).toHaveLength(4);
    expect(readdirSync(folder)).toHaveLength(4);
    await expect(writeReport(runOfAll(), 'adk', join(folder, 'one.json'))).rejects.toMatchObject({ code: 'USAGE' });
  });

  it.each(['new', 'deep/new', 'new/', 'new.v2/'])('creates the folder "%s" for ADK’s files', async (name) => {
    const folder = join(emptyFolder(), name);
    const output = name.endsWith('/') ? `${folder.replace(/\/$/, '')}/` : folder;
    expect(await writeReport(runOfAll(), 'adk', output)).toHaveLength(4);
    expect(readdirSync(folder)).toHaveLength(4);
    const [{ id } = { id: '' }] = runOfAll().sets;
    expect(await writeReport(runOfAll(), 'adk', join(folder, 'of-one'), { setId: id })).toHaveLength(1);
  });

  it('creates missing folders', async () => {
    const file = join(emptyFolder(), 'out', 'sub', 'report.json');
    await writeReport(runOfAll(), 'json', file);
    expect(existsSync(file)).toBe(true);
  });

  it('explains why a path cannot be written', async () => {
    const folder = emptyFolder();
    mkdirSync(join(folder, 'taken'));
    await expect(writeReport(runOfAll(), 'json', join(folder, 'taken'))).rejects.toThrow(
      'it is a folder; name a file in it',
    );
    writeFileSync(join(folder, 'file'), '');
    await expect(writeReport(runOfAll(), 'json', join(folder, 'file', 'x'))).rejects.toThrow('is not a folder');
    await expect(writeReport(runOfAll(), 'json', join(folder, 'x'.repeat(300)))).rejects.toThrow(
      'its name is too long',
    );
  });

  it.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
    'reports that a folder is not writable',
    async () => {
      const folder = emptyFolder();
      chmodSync(folder, 0o500);
      await expect(writeReport(runOfAll(), 'json', join(folder, 'x'))).rejects.toThrow('check the permissions');
    },
  );

  it.runIf(existsSync('/dev/full'))('reports via writeTo() that the disk is full', async () => {
    const { writeTo } = await import('./write-atomically.ts');
    const full = writeTo('/dev/full', { file: 'report.json', what: 'report' }, reporters.csv.write(runOfAll()));
    await expect(full).rejects.toThrow(
      'report.json: the report could not be written: the disk is full; free some space',
    );
  });

  it('keeps an existing file if reading the run fails', async () => {
    const folder = emptyFolder();
    const file = join(folder, 'report.csv');
    writeFileSync(file, 'before');
    const broken: RunRecord = {
      ...runOfAll(),
      // biome-ignore lint/correctness/useYield: it throws first.
      async *cases() {
        throw new Error('the run is damaged');
      },
    };
    await expect(writeReport(broken, 'csv', file)).rejects.toThrow('the run is damaged');
    expect(readFileSync(file, 'utf8')).toBe('before');
    expect(readdirSync(folder)).toEqual(['report.csv']);
  });
});
