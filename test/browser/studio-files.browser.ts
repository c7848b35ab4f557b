import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { type RunningStudio, startStudio } from '@agent-criteria/studio';
import { chromium, type Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { folderOf } from '../folder.ts';
import { findChromium } from './find-chromium.ts';
import { accessibilityProblems, sidewaysScroll } from './opened-page.ts';

const executablePath = findChromium(process.env);

/** An agent that names the files of each message with their sizes. */
const SEES = `export function rootAgent(message, { content }) {
  const files = content.parts.flatMap(({ inlineData: file }) =>
    file ? [file.displayName + ' (' + file.mimeType + ', ' + Buffer.from(file.data, 'base64').length + ' bytes)'] : []);
  return 'I see ' + (files.join(' and ') || 'nothing') + '.';
}
rootAgent.supportsFiles = true;
`;
const BLIND = 'export function desk(message) { return "You said " + message; }\nexport default desk;\n';
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg"><script>parent.hurt = 1</script><image href="http://evil.example/x"/></svg>';

const PICTURE = png(320, 200);

describe.skipIf(executablePath === undefined).each([
  { name: 'at 1280 px', width: 1280, colorScheme: 'light' as const },
  { name: 'at 390 px', width: 390, colorScheme: 'dark' as const },
])('files in a chat $name', ({ width, colorScheme }) => {
  async function opened(app: string) {
    const folder = folderOf({ 'sees/agent.mjs': SEES, 'desk/agent.mjs': BLIND });
    const start = (port: number): Promise<RunningStudio> =>
      startStudio({
        folder,
        port,
        agentProcesses: false,
        environment: {},
        applyEnvironment: false,
        settings: { runsFolder: join(folder, '.agent-criteria/runs') },
      });
    let studio = await start(0);
    const { url } = studio;
    onTestFinished(() => studio.close());
    const browser = await chromium.launch({ executablePath: executablePath! });
    onTestFinished(() => browser.close());
    const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
    const problems: string[] = [];
    // Nothing may leave this machine, whatever the files are.
    await context.route('**', (route) => {
      const asked = route.request().url();
      if (asked.startsWith(`${url}/`) || /^data:image\/(?:png|jpeg|gif|webp);base64,/.test(asked))
        return route.continue();
      problems.push(`request: ${asked}`);
      return route.abort();
    });
    const page = await context.newPage();
    page.on('pageerror', (error) => problems.push(`error: ${error.stack}`));
    page.on('popup', () => problems.push('a window was opened'));
    page.on('console', (message) => {
      // The browser's words for a studio that does not answer, or that refuses a message.
      if (!/ERR_CONNECTION_|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|status of 409/.test(message.text()))
        problems.push(message.text());
    });
    await page.goto(studio.link);
    await page.goto(`${url}/#/apps/${app}/chat`);
    const composer = page.getByLabel('Message to the agent');
    await composer.waitFor();
    const attached = page.getByRole('list', { name: 'Attached files' }).getByRole('listitem');
    return {
      page,
      url,
      folder,
      composer,
      attached,
      choose: (...files: readonly { readonly name: string; readonly mimeType: string; readonly buffer: Buffer }[]) =>
        page.locator('input[type=file]').setInputFiles([...files]),
      names: () => attached.locator('bdi').allInnerTexts(),
      end: () => studio.close(),
      /** Lets the page notice that the studio is gone, as a tab does when it becomes visible again. */
      async notice() {
        await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
        await page.getByText('The studio does not answer.', { exact: true }).waitFor();
      },
      async restart() {
        studio = await start(Number(new URL(url).port));
      },
      async fits() {
        expect(await accessibilityProblems(page)).toEqual([]);
        expect(await sidewaysScroll(page)).toBe(0);
        expect(problems).toEqual([]);
      },
      picture: (name: string) =>
        process.env.PICTURES === undefined
          ? undefined
          : page.screenshot({ path: join(process.env.PICTURES, `${name}-${width}.png`) }),
    };
  }

  it('are attached, pasted, dropped and removed; outlive a reload; reach the agent; and become a case that passes', async () => {
    const { page, folder, composer, attached, choose, names, end, notice, restart, fits, picture } =
      await opened('sees');
    // The list of sessions has the same message box, whose files go into the new session.
    await choose(file('holiday.png', 'image/png', PICTURE), file('notes', '', Buffer.from('A note\n')));
    await expect.poll(names).toEqual(['holiday.png', 'notes']);
    await page.getByRole('button', { name: 'New session' }).click();
    await page.getByText('Say something to the agent.').waitFor();
    expect(await names()).toEqual(['holiday.png', 'notes']);
    expect(await attached.nth(1).innerText()).toContain('text/plain, 7 bytes');
    await give(page, 'paste', [{ name: 'image.png', type: 'image/png', bytes: [...PICTURE] }]);
    await give(page, 'drop', [{ name: '../‮gpj.exe', type: 'application/pdf', bytes: [37, 80, 68, 70] }]);
    await expect.poll(names).toEqual(['holiday.png', 'notes', 'image.png', '_gpj.exe']);
    await page.getByRole('button', { name: 'Remove image.png' }).click();
    expect(await composer.evaluate((element) => element === document.activeElement)).toBe(true);
    await composer.fill('What is this?');
    await fits();
    await picture('files-attached');
    await page.reload();
    await expect.poll(names).toEqual(['holiday.png', 'notes', '_gpj.exe']);
    expect(await composer.inputValue()).toBe('What is this?');
    await composer.press('Enter');
    await page
      .getByText(
        `I see holiday.png (image/png, ${PICTURE.length} bytes) and notes (text/plain, 7 bytes) and _gpj.exe (application/pdf, 4 bytes).`,
      )
      .waitFor();
    expect([await attached.count(), await composer.inputValue()]).toEqual([0, '']);

    const shown = page.getByRole('img', { name: 'holiday.png' });
    const isShown = () =>
      expect.poll(() => shown.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(320);
    await isShown();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download notes' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('notes');
    expect(readFileSync(await download.path(), 'utf8')).toBe('A note\n');
    await fits();
    await picture('files-sent');

    await end();
    await notice();
    await restart();
    await page.getByText('The studio does not answer.', { exact: true }).waitFor({ state: 'detached' });
    await page.reload();
    await isShown();

    await page.getByRole('button', { name: 'Add to eval set…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Id of the new set').fill('seen');
    await dialog.getByRole('img', { name: 'holiday.png' }).waitFor();
    await dialog.getByText('application/pdf, 4 bytes').waitFor();
    await fits();
    await picture('files-case');
    await dialog.getByRole('button', { name: 'Save the case' }).click();
    await page.getByRole('button', { name: 'Open the case' }).click();
    await page.getByRole('button', { name: 'Remove notes' }).waitFor();
    await isShown();
    await fits();
    await picture('files-editor');
    const [saved] = JSON.parse(readFileSync(join(folder, 'sees/seen.evalset.json'), 'utf8')).eval_cases;
    expect(saved.conversation[0].user_content.parts).toEqual([
      { text: 'What is this?' },
      { inline_data: { mime_type: 'image/png', data: PICTURE.toString('base64'), display_name: 'holiday.png' } },
      { inline_data: { mime_type: 'text/plain', data: btoa('A note\n'), display_name: 'notes' } },
      { inline_data: { mime_type: 'application/pdf', data: btoa('%PDF'), display_name: '_gpj.exe' } },
    ]);

    await page.getByRole('link', { name: 'Run…', exact: true }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('Passed').first().waitFor();
    await page.getByText('what_is_this').first().click();
    await isShown();
    await page.getByText('notes').first().waitFor();
    await fits();
    await picture('files-run');
  });

  it('of hostile types and names are only named, and can be saved', async () => {
    const { page, composer, attached, choose, fits, picture } = await opened('sees');
    const page1 = '<h1>Hurt</h1><script>window.hurt = 1</script>';
    await choose(
      file('drawing.svg', 'image/svg+xml', Buffer.from(SVG)),
      file('page.html', 'text/html', Buffer.from(page1)),
      file('<img src=x onerror=hurt()>.png', 'image/png', Buffer.from('no picture')),
    );
    await expect.poll(() => attached.count()).toBe(3);
    await composer.press('Enter');
    await page.getByText(/^I see drawing\.svg/).waitFor();
    const message = page.locator('.of-user');
    expect(await message.locator('svg, iframe, object, embed, script, h1').count()).toBe(0);
    // A file that is not a picture is only named, too.
    await expect.poll(() => message.locator('img').count()).toBe(0);
    await message.getByText('<img src=x onerror=hurt()>.png').first().waitFor();
    for (const [name, content] of [
      ['drawing.svg', SVG],
      ['page.html', page1],
    ] as const) {
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: `Download ${name}` }).click();
      const download = await downloading;
      expect(download.url()).toMatch(/^blob:/);
      expect(download.suggestedFilename()).toBe(name);
      expect(readFileSync(await download.path(), 'utf8')).toBe(content);
    }
    expect(await page.evaluate(() => 'hurt' in window)).toBe(false);
    await fits();
    await picture('files-hostile');
  });

  it('beyond a limit are refused with the limit, and those that a tab cannot keep say so', async () => {
    const { page, attached, choose, names, fits, picture } = await opened('sees');
    const many = Array.from({ length: 11 }, (_, at) => file(`${at}.txt`, 'text/plain', Buffer.from('x')));
    await choose(...many);
    await page.getByText('A message has at most 10 files, and these are 11. Nothing was attached.').waitFor();
    await choose(file('large.bin', 'application/octet-stream', Buffer.alloc(10_000_001)));
    await page.getByText('The files of a message have at most 10 MB together, and these have 10.1 MB.').waitFor();
    await choose(file('none.txt', 'text/plain', Buffer.alloc(0)));
    await page.getByText('“none.txt” is empty.').waitFor();
    expect(await attached.count()).toBe(0);
    await choose(file('scan.pdf', 'application/pdf', Buffer.alloc(6_000_000, 1)));
    await expect.poll(names).toEqual(['scan.pdf']);
    await page.getByText('If this page is reloaded before the message is sent, its files are gone').waitFor();
    await fits();
    await picture('files-limits');
    // They still go into the new session, and the page asks before it is reloaded.
    await page.getByRole('button', { name: 'New session' }).click();
    await page.getByText('Say something to the agent.').waitFor();
    expect(await names()).toEqual(['scan.pdf']);
    const asked = page.waitForEvent('dialog');
    const reloaded = page.reload();
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.accept();
    await reloaded;
    await page.getByText('Say something to the agent.').waitFor();
    expect(await attached.count()).toBe(0);
  });

  it('are not attached for an agent that takes only text, which is said before anything is sent', async () => {
    const { page, composer, attached, choose, fits, picture } = await opened('desk');
    const why = page.getByText('The agent “desk” takes only text, so it would never see a file.');
    await choose(file('cat.png', 'image/png', PICTURE));
    await why.waitFor();
    expect(await attached.count()).toBe(0);
    await composer.fill('Hello');
    await composer.press('Enter');
    await page.getByText('You said Hello').waitFor();
    const button = page.getByRole('button', { name: 'Attach files' });
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true');
    // It stays reachable by keyboard, so that it can say why.
    await button.press('Enter');
    await why.waitFor();
    await give(page, 'paste', [{ name: 'image.png', type: 'image/png', bytes: [...PICTURE] }]);
    await why.waitFor();
    expect(await attached.count()).toBe(0);
    await fits();
    await picture('files-text-only');
  });

  it('wait in the queue with their message while the studio is gone, and are sent once', async () => {
    const { page, composer, choose, names, end, notice, restart, fits, picture } = await opened('sees');
    await page.getByRole('button', { name: 'New session' }).click();
    await page.getByText('Say something to the agent.').waitFor();
    await end();
    await notice();
    await choose(file('cat.png', 'image/png', PICTURE));
    await composer.fill('Look');
    await page.getByRole('button', { name: 'Queue' }).click();
    const queue = page.getByRole('list', { name: 'Messages to be sent' });
    await queue.getByText('cat.png').waitFor();
    await fits();
    await picture('files-queued');
    await queue.getByRole('button', { name: 'Withdraw' }).click();
    expect(await names()).toEqual(['cat.png']);
    expect(await composer.inputValue()).toBe('Look');
    await page.getByRole('button', { name: 'Queue' }).click();
    await restart();
    await page.getByText(`I see cat.png (image/png, ${PICTURE.length} bytes).`).waitFor();
    expect(await page.locator('.of-user').count()).toBe(1);
  });
});

function file(name: string, mimeType: string, buffer: Buffer) {
  return { name, mimeType, buffer };
}

/** Pastes files into the message box, or drops them on the page. */
async function give(
  page: Page,
  how: 'paste' | 'drop',
  files: readonly { readonly name: string; readonly type: string; readonly bytes: readonly number[] }[],
): Promise<void> {
  await page.getByLabel('Message to the agent').evaluate(
    (element, given) => {
      const data = new DataTransfer();
      for (const { name, type, bytes } of given.files)
        data.items.add(new File([new Uint8Array(bytes)], name, { type }));
      const init = { bubbles: true, cancelable: true };
      const event =
        given.how === 'paste'
          ? new ClipboardEvent('paste', { ...init, clipboardData: data })
          : new DragEvent('drop', { ...init, dataTransfer: data });
      element.dispatchEvent(event);
      if (!event.defaultPrevented) throw new Error('the browser would open the file');
    },
    { how, files },
  );
}

/** A picture of a hill below a sky, as PNG. */
function png(width: number, height: number): Buffer {
  const rows = Array.from({ length: height }, (_, y) => {
    const row = Buffer.alloc(1 + width * 3);
    for (let x = 0; x < width; x += 1) {
      const isHill = y > height * 0.65 - Math.sin((x / width) * Math.PI) * 60;
      row.set(isHill ? [60, 120 + (y % 40), 70] : [120 + (y >> 1), 170, 230], 1 + x * 3);
    }
    return row;
  });
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
