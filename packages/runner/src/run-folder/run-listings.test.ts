import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { takeLease } from './lease.ts';
import { createRunListings } from './run-listings.ts';
import { writeRunName } from './run-name.ts';

const plan = (id: string, createdAt: number) => ({
  format: 2,
  id,
  createdAt,
  repeats: 1,
  compat: null,
  packages: {},
  agent: { name: 'a', path: null, hash: null },
  sets: [],
});

/** Makes runs without a scoring pass, which are all finished, because they have no cases. */
function runsOf(...ids: readonly string[]): string {
  return folderOf(Object.fromEntries(ids.map((id, index) => [`${id}/plan.json`, plan(id, 1000 + index)])));
}

/** Judges a run, as if that had been ten minutes ago. */
function finish(folder: string): void {
  const scoring = join(folder, 'scorings/1');
  mkdirSync(scoring, { recursive: true });
  const { id: _, repeats: __, agent: ___, ...rest } = plan('', 1000);
  writeFileSync(join(scoring, 'plan.json'), JSON.stringify({ ...rest, scoring: 1, gates: [], warnings: [] }));
  const verdicts = { passed: 0, failed: 0, error: 0, 'not-evaluated': 0, informational: 0 };
  const summary = { verdict: 'not-evaluated', total: 0, verdicts, nothingJudged: false, exitCode: 3 };
  const units = { total: 0, finished: 0 };
  const madeFrom = { inferences: 0, scores: 0 };
  writeFileSync(join(scoring, 'summary.json'), JSON.stringify({ endedAt: 2000, summary, units, madeFrom }));
  const then = Date.now() / 1000 - 600;
  for (const one of [folder, scoring]) utimesSync(one, then, then);
}

async function scanned(listings: ReturnType<typeof createRunListings>): Promise<readonly string[]> {
  const found: string[] = [];
  await listings.scan((id, { name }) => {
    found.push(name === undefined ? id : `${id} ${name}`);
    return true;
  });
  return found;
}

const [FIRST, SECOND, LATER] = ['20260101-101010-zzzz', '20260101-101010-aaaa', '20260102-101010-aaaa'];

describe('createRunListings()', () => {
  it('lists runs newest first, and those of the same second by their start', () => {
    const runs = runsOf(FIRST, LATER, SECOND);
    mkdirSync(join(runs, 'no-run'));
    writeFileSync(join(runs, 'file'), '');
    symlinkSync(join(runs, LATER), join(runs, 'link'));
    const listings = createRunListings(runs);
    expect(listings.ids()).toEqual([LATER, SECOND, FIRST]);
    expect([LATER, 'link', 'no-run', 'file', '..', '', `../x/${LATER}`, '\0'].filter(listings.has)).toEqual([LATER]);
    expect(createRunListings(join(runs, 'missing')).ids()).toEqual([]);
  });

  it('notices what is added, renamed and deleted elsewhere', async () => {
    const runs = runsOf(FIRST, LATER);
    for (const id of [FIRST, LATER]) finish(join(runs, id));
    const listings = createRunListings(runs);
    expect(await scanned(listings)).toEqual([LATER, FIRST]);
    cpSync(join(runs, FIRST), join(runs, SECOND), { recursive: true });
    rmSync(join(runs, LATER), { recursive: true });
    expect(await scanned(listings)).toEqual([FIRST, SECOND]);
    expect(listings.get(LATER)).toBeNull();
    // A name given elsewhere is seen when the run itself is asked for, and from then on by scans.
    writeRunName(join(runs, FIRST), 'nightly');
    expect(listings.get(FIRST)?.name).toBe('nightly');
    expect(await scanned(listings)).toContain(`${FIRST} nightly`);
  });

  it('looks at finished runs again after ten seconds', async () => {
    const runs = runsOf(FIRST);
    finish(join(runs, FIRST));
    let now = 0;
    const listings = createRunListings(runs, () => now);
    expect(await scanned(listings)).toEqual([FIRST]);
    writeRunName(join(runs, FIRST), 'nightly');
    now = 9_000;
    expect(await scanned(listings)).toEqual([FIRST]);
    now = 10_001;
    expect(await scanned(listings)).toEqual([`${FIRST} nightly`]);
    // It has changed just now, so it is looked at each time.
    writeRunName(join(runs, FIRST), 'weekly');
    expect(await scanned(listings)).toEqual([`${FIRST} weekly`]);
  });

  it('sees at once whether a run is being written, and its end', async () => {
    const runs = runsOf(FIRST);
    const listings = createRunListings(runs);
    const isRunning = async () => {
      let running: boolean | undefined;
      await listings.scan((_, listing) => {
        running = listing.running;
        return true;
      });
      return running;
    };
    expect(await isRunning()).toBe(false);
    const lease = await takeLease(join(runs, FIRST));
    expect(await isRunning()).toBe(true);
    expect(listings.get(FIRST)?.running).toBe(true);
    lease.release();
    expect(await isRunning()).toBe(false);
  });

  it('stops a scan on request, and is complete once all runs have been read', async () => {
    const listings = createRunListings(runsOf(FIRST, LATER));
    expect(await listings.scan(() => false)).toBe(false);
    expect(listings.isComplete()).toBe(false);
    expect(await listings.scan(() => true)).toBe(true);
    expect(listings.isComplete()).toBe(true);
  });

  it('lists a damaged run with its problem', async () => {
    const runs = runsOf(FIRST);
    writeFileSync(join(runs, FIRST, 'plan.json'), readFileSync(join(runs, FIRST, 'plan.json'), 'utf8').slice(0, 20));
    const listings = createRunListings(runs);
    expect(listings.get(FIRST)?.problem).toMatch(/not JSON/);
    expect(await scanned(listings)).toEqual([FIRST]);
  });
});
