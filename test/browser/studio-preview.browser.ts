import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import { type RunningStudio, startStudio } from '@agent-criteria/studio';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from './find-chromium.ts';
import { accessibilityProblems, drawn, sidewaysScroll } from './opened-page.ts';

const executablePath = findChromium(process.env);

/** An agent that echoes the message, waits if the test has a gate for that message, and fails on request. */
const ECHO = `
let asked = 0;
const answer = async (message) => {
  await globalThis.previewGates?.get(message);
  if (message === 'break') throw new Error('The quota is used up.');
  return message === 'flaky' ? 'Answer ' + (asked++ % 2) : 'You said: ' + message;
};
export const rootAgent = answer;
export const polite = async (message) => (message === 'second' ? 'Not at all.' : answer(message));
`;

const gates = new Map<string, Promise<void>>();
Object.assign(globalThis, { previewGates: gates });

/** Makes the agent wait on this message. @returns A function that lets it continue. */
function gate(message: string): () => void {
  let open = (): void => undefined;
  gates.set(
    message,
    new Promise((resolve) => {
      open = resolve;
    }),
  );
  return () => open();
}

const turn = (text: string, answer = `You said: ${text}`) => ({
  user_content: { role: 'user', parts: [{ text }] },
  final_response: { role: 'model', parts: [{ text: answer }] },
});
const one = (id: string, ...conversation: object[]) => ({ eval_id: id, conversation });
/** Creates a case to which no criterion applies. */
const open = (id: string) => ({
  eval_id: id,
  conversation: [{ user_content: { role: 'user', parts: [{ text: id }] } }],
});

const SETS = {
  mixed: [
    one('fine', turn('fine')),
    one('first', turn('first', 'Something else was expected here.')),
    open('a gap'),
    one('long', turn('one'), turn('two'), turn('three', 'No such answer.')),
    ...Array.from({ length: 12 }, (_, at) => one(`good ${at}`, turn(`good ${at}`))),
  ],
  gaps: [one('fine', turn('fine')), open('a gap'), one('broken', turn('break'))],
  good: [one('fine', turn('fine'))],
  live: [one('slow', turn('slow', 'No.')), one('quick', turn('quick', 'No.')), one('last', turn('last'))],
  flaky: [one('flaky', turn('flaky', 'Answer 1'))],
  two: [one('second', turn('second'))],
};

describe.skipIf(executablePath === undefined).each([
  { name: 'at 1280 px', width: 1280, height: 800, colorScheme: 'light' as const, isBeside: true },
  { name: 'at 390 px', width: 390, height: 844, colorScheme: 'dark' as const, isBeside: false },
])('the first failing case of a run $name', ({ width, height, colorScheme, isBeside }) => {
  const folder = mkdtempSync(join(tmpdir(), 'studio-preview-'));
  const pictures = process.env.PREVIEW_PICTURES;
  let browser: Browser;
  let studio: RunningStudio;

  beforeAll(async () => {
    mkdirSync(join(folder, 'echo'));
    writeFileSync(join(folder, 'echo', 'agent.mjs'), ECHO);
    for (const [id, cases] of Object.entries(SETS)) {
      const text = JSON.stringify({ eval_set_id: id, eval_cases: cases });
      writeFileSync(join(folder, 'echo', `${id}.evalset.json`), text);
    }
    writeFileSync(
      join(folder, 'echo', 'test_config.json'),
      JSON.stringify({ criteria: { response_match_score: 0.9 } }),
    );
    studio = await startStudio({
      // Its agent waits for gates of this process.
      agentProcesses: false,
      folder,
      port: 0,
      environment: {},
      applyEnvironment: false,
      settings: { runsFolder: join(folder, 'runs') },
      builtIn: { plugins: [toolTrajectory, responseMatch] },
    });
    browser = await chromium.launch({ executablePath: executablePath as string });
  });
  afterAll(async () => {
    await browser?.close();
    await studio?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const headers = () => ({ authorization: `Bearer ${studio.token}` });
  async function started(asked: object): Promise<string> {
    const body = JSON.stringify({ app: 'echo', ...asked });
    const made = await fetch(`${studio.url}/api/runs`, { method: 'POST', headers: headers(), body });
    return ((await made.json()) as { readonly id: string }).id;
  }
  async function ran(asked: object): Promise<string> {
    const id = await started(asked);
    await (await fetch(`${studio.url}/api/runs/${id}/events`, { headers: headers() })).text();
    return id;
  }

  async function openRun(hash: string) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme, hasTouch: !isBeside });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (message) => problems.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => problems.push(`error: ${error.stack}`));
    await page.goto(studio.link);
    await page.waitForSelector('.masthead');
    await page.goto(`${studio.url}/${hash}`);
    await page.waitForSelector('.rows .row');
    await page.waitForLoadState('networkidle');
    await drawn(page);
    return { page, problems, [Symbol.asyncDispose]: () => context.close() };
  }

  const regionOf = (page: Page, id: string) => page.getByRole('region', { name: `Case ${id}`, exact: true });
  const shown = async (page: Page, id: string) => {
    await regionOf(page, id).waitFor();
    expect(await page.locator('.case-pane').count()).toBe(1);
  };
  const hash = (page: Page) => new URL(page.url()).hash;
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');

  it('is shown open with its list and the reason, without taking the focus', async () => {
    const run = await ran({ sets: ['mixed'] });
    await using opened = await openRun(`#/runs/${run}`);
    const { page, problems } = opened;
    await shown(page, 'first');
    expect(await regionOf(page, 'first').innerText()).toMatch(
      /response_match_score[\s\S]*at least 0.9[\s\S]*first[\s\S]*Expected\s+Actual[\s\S]*Something else[\s\S]*You said: first/,
    );
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
    expect(await page.evaluate(() => scrollY)).toBe(0);
    const pane = (await page.locator('.case-pane').boundingBox())!;
    const grid = (await page.locator('.grid').boundingBox())!;
    if (isBeside) {
      // Beside the list, and within the window.
      expect(pane.x).toBeGreaterThanOrEqual(grid.x + grid.width);
      expect(Math.abs(pane.y - grid.y)).toBeLessThan(2);
      expect(pane.y + pane.height).toBeLessThanOrEqual(height);
    } else {
      // Below its row, followed by the next row.
      const own = (await page.locator('.row', { hasText: 'first' }).boundingBox())!;
      const next = (await page.locator('.row', { hasText: 'long' }).boundingBox())!;
      expect(pane.y - (own.y + own.height)).toBeLessThan(2);
      expect(next.y).toBeGreaterThanOrEqual(pane.y + pane.height - 1);
      expect(pane.height).toBeLessThanOrEqual(height * 0.6);
    }
    expect(hash(page)).toBe(`#/runs/${run}/?case=mixed%2Ffirst`);
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `preview-${width}.png`) });
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
    expect(problems).toEqual([]);
  });

  it('can be changed by keys, opened in full and returned to, and is restored from the address', async () => {
    const run = await ran({ sets: ['mixed'] });
    await using opened = await openRun(`#/runs/${run}`);
    const { page, problems } = opened;
    await shown(page, 'first');
    // Keys start from the open case.
    await page.keyboard.press('j');
    await expect.poll(() => focused(page)).toBe('first');
    await page.keyboard.press('j');
    await shown(page, 'long');
    await expect.poll(() => focused(page)).toBe('long');
    expect(hash(page)).toContain('case=mixed%2Flong');
    await page.keyboard.press('j');
    await shown(page, 'a gap');
    await page.keyboard.press('k');
    await shown(page, 'long');
    // Shows the failed turn, one of three.
    await regionOf(page, 'long').getByRole('heading', { name: 'Turn 3' }).waitFor();
    await page.reload();
    await shown(page, 'long');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'long' }).waitFor();
    await page.keyboard.press('Escape');
    await shown(page, 'long');
    await expect.poll(() => focused(page)).toBe('long');
    await regionOf(page, 'long').getByRole('link').first().click();
    await page.getByRole('heading', { level: 1, name: 'long' }).waitFor();
    await page.goBack();
    await shown(page, 'long');
    if (isBeside) {
      // The pane's buttons keep the focus, so that they can be pressed again.
      const next = page.getByRole('button', { name: 'Next case that did not pass (j)' });
      await next.press('Enter');
      await shown(page, 'a gap');
      expect(await next.isDisabled()).toBe(true);
      await page.getByRole('button', { name: 'Previous case that did not pass (k)' }).click();
      await shown(page, 'long');
      // A pointer opens any case beside the list.
      await page.locator('.row', { hasText: 'fine' }).hover();
      await page.locator('.row', { hasText: 'fine' }).locator('.to-pane').click();
      await shown(page, 'fine');
      await regionOf(page, 'fine').getByText('Every deciding criterion passed.').waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
    }
    expect(problems).toEqual([]);
  });

  it('stays closed once it is closed, until it is opened again', async () => {
    const run = await ran({ sets: ['mixed'] });
    await using opened = await openRun(`#/runs/${run}`);
    const { page, problems } = opened;
    const toggle = page.getByRole('button', { name: 'Preview', exact: true });
    await shown(page, 'first');
    await page.keyboard.press('Escape');
    await regionOf(page, 'first').waitFor({ state: 'detached' });
    expect(hash(page)).toBe(`#/runs/${run}/`);
    await page.goBack();
    await shown(page, 'first');
    await page.getByRole('button', { name: 'Close the preview (Esc)' }).click();
    await regionOf(page, 'first').waitFor({ state: 'detached' });
    // Keys continue from the case that was open.
    await expect.poll(() => focused(page)).toBe('first');
    await page.goto('about:blank');
    await page.goto(`${studio.url}/#/runs/${run}`);
    await page.waitForSelector('.rows .row');
    await page.waitForLoadState('networkidle');
    await drawn(page);
    expect(await page.locator('.case-pane').count()).toBe(0);
    expect(await toggle.getAttribute('aria-pressed')).toBe('false');
    // A link still opens the case that it names.
    await page.goto(`${studio.url}/#/runs/${run}/?case=mixed%2Flong`);
    await shown(page, 'long');
    await page.keyboard.press('o');
    await regionOf(page, 'long').waitFor({ state: 'detached' });
    await toggle.click();
    await shown(page, 'long');
    await page.goto('about:blank');
    await page.goto(`${studio.url}/#/runs/${run}`);
    await shown(page, 'first');
    await page.goto(`${studio.url}/#/runs/${run}/?case=mixed%2Fnone`);
    await page.getByText('This run has no case “none” in “mixed”.').waitFor();
    expect(problems).toEqual([]);
  });

  it('is one that failed, else one that was not evaluated, and none if all passed', async () => {
    const [good, gaps, mixed] = [await ran({ sets: ['good'] }), await ran({ sets: ['gaps'] }), await ran({})];
    await using opened = await openRun(`#/runs/${good}`);
    const { page, problems } = opened;
    expect(await page.locator('.case-pane').count()).toBe(0);
    await page.goto(`${studio.url}/#/runs/${gaps}`);
    await shown(page, 'broken');
    await regionOf(page, 'broken').getByText('The quota is used up.').first().waitFor();
    // A case that the filtered list does not contain is replaced by one that it does. If the list is empty, nothing
    // moves.
    await page.goto(`${studio.url}/#/runs/${mixed}/?sort=id`);
    await shown(page, 'first');
    await page.locator('.chip.not-evaluated').click();
    await shown(page, 'a gap');
    await page.locator('.chip.not-evaluated').click();
    await page.locator('.chip.passed').click();
    await drawn(page);
    await shown(page, 'a gap');
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('opens once while a run is in progress, and stays open', async () => {
    const [slow, last] = [gate('slow'), gate('last')];
    const run = await started({ sets: ['live'], concurrency: 3 });
    await using opened = await openRunLive(run);
    const { page, problems } = opened;
    await shown(page, 'quick');
    slow();
    await page.locator('.row', { hasText: 'slow' }).locator('.badge.failed').waitFor();
    await shown(page, 'quick');
    expect(await page.locator('.rows .row').first().innerText()).toContain('slow');
    last();
    await page.getByText('1 of 3 cases passed.').waitFor();
    await page.locator('.live').waitFor({ state: 'detached' });
    await shown(page, 'quick');
    expect(problems).toEqual([]);
  });

  it('shows its repeats and its variants', async () => {
    const flaky = await ran({ sets: ['flaky'], repeats: 4 });
    await using opened = await openRun(`#/runs/${flaky}`);
    const { page, problems } = opened;
    await shown(page, 'flaky');
    const pane = regionOf(page, 'flaky');
    await pane.getByText('2/4 passed, 2 distinct answers').click();
    const repeat = pane.getByRole('button', { name: /^Failed: show repeat [234]/ }).last();
    const [number] = /\d/.exec(await repeat.innerText()) ?? [];
    await repeat.click();
    await expect.poll(() => hash(page)).toContain(`repeat=${number}`);
    const names = [
      { name: 'plain', app: 'echo' },
      { name: 'polite', app: 'echo', agentName: 'polite' },
    ];
    const two = await ran({ sets: ['two'], variants: names });
    await page.goto(`${studio.url}/#/runs/${two}`);
    await shown(page, 'second');
    expect(hash(page)).toContain('variant=polite');
    await regionOf(page, 'second').getByText('Not at all.').first().waitFor();
    await regionOf(page, 'second').getByRole('link', { name: /plain/ }).click();
    await regionOf(page, 'second').getByText('Every deciding criterion passed.').waitFor();
    expect(hash(page)).toContain('variant=plain');
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
    expect(problems).toEqual([]);
  });

  /** Opens a run without waiting for the network to become idle, because a run in progress never does. */
  async function openRunLive(run: string) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(`error: ${error.stack}`));
    await page.goto(studio.link);
    await page.waitForSelector('.masthead');
    await page.goto(`${studio.url}/#/runs/${run}/`);
    return { page, problems, [Symbol.asyncDispose]: () => context.close() };
  }
});
