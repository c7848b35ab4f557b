import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startStudio } from '@agent-criteria/studio';
import { chromium } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { folderOf } from '../folder.ts';
import { findChromium } from './find-chromium.ts';

const executablePath = findChromium(process.env);

async function studioNamed(name: string, port = 0) {
  const folder = folderOf({ [`${name}/agent.mjs`]: `export const rootAgent = () => 'Hi';` });
  const settings = { runsFolder: `${folder}/.agent-criteria/runs` };
  const studio = await startStudio({ folder, port, environment: {}, applyEnvironment: false, settings });
  onTestFinished(() => studio.close());
  return studio;
}

describe.skipIf(executablePath === undefined)('the cookie of a studio in Chromium', () => {
  it('signs one browser in to two studios, and reveals nothing to other servers and scripts that a program could send', async () => {
    const browser = await chromium.launch({ executablePath: executablePath! });
    onTestFinished(() => browser.close());
    const context = await browser.newContext();
    const page = await context.newPage();
    const [first, second] = [await studioNamed('lamp'), await studioNamed('desk')];
    // Signs in to one by the printed link, and to the other by the link that opens the browser.
    await page.goto(first.link);
    await page.goto(second.oneTimeLink());
    for (const [studio, name] of [[first, 'lamp'] as const, [second, 'desk'] as const]) {
      await page.goto(studio.url);
      await page.getByText(name).first().waitFor();
      expect(page.url()).toBe(`${studio.url}/`);
      expect(await page.evaluate(() => document.cookie)).toBe('');
    }
    const cookies = await context.cookies();
    expect(cookies).toHaveLength(2);
    for (const cookie of cookies) {
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', domain: '127.0.0.1' });
      expect([first.token, second.token]).not.toContain(cookie.value);
    }
    const seen: string[] = [];
    const other = createServer((request, response) => {
      seen.push(request.headers.cookie ?? '');
      response.setHeader('content-type', 'text/html').end('<h1>Another server</h1>');
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await new Promise((listening) => other.once('listening', listening));
    await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
    expect(seen.join()).not.toContain(first.token);
    expect(seen.join()).not.toContain(second.token);
    // The page of another server cannot send requests to a studio, although the browser is signed in there.
    const asked = await page.evaluate(
      (url) => fetch(`${url}/list-apps`, { credentials: 'include' }).then(String, () => 'refused'),
      first.url,
    );
    expect(asked).toBe('refused');

    const { port } = new URL(first.url);
    await first.close();
    const again = await studioNamed('lamp', Number(port));
    expect((await page.goto(again.url))?.status()).toBe(401);
    await page.goto(again.link);
    await page.getByText('lamp').first().waitFor();
  });
});
