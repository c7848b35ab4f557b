import { fileURLToPath } from 'node:url';
import { type RunningStudio, startStudio } from '@agent-criteria/studio';
import { chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

/** The built web UI of ADK, inside its package. */
const adkWeb = fileURLToPath(new URL('node_modules/@google/adk-devtools/dist/browser', import.meta.url));

/** ADK's client in a browser, connected to a studio. */
export interface OpenedClient {
  readonly page: Page;
  readonly studio: RunningStudio;
  /** Page errors, errors in the console, error responses, and requests to other servers, also those that were blocked. */
  readonly problems: string[];
}

/** Opens ADK's client. @param folder The agent's folder. */
export async function openClient(folder: string, executablePath: string): Promise<OpenedClient> {
  const runsFolder = `${folder}/.agent-criteria/runs`;
  const plain = { port: 0, environment: {}, applyEnvironment: false, settings: { runsFolder } };
  const studio = await startStudio({ ...plain, folder, adkWeb });
  onTestFinished(() => studio.close());
  // In a container, the user is root, and Chromium has no sandbox for root.
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1500, height: 900 } });
  page.setDefaultTimeout(15_000);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`error: ${error.stack}`));
  page.on('console', (line) => {
    if (line.type() === 'error') problems.push(`console: ${line.text()}`);
  });
  page.on('response', (answer) => {
    if (answer.status() < 400) return;
    problems.push(`${answer.status()} ${answer.request().method()} ${answer.url()}`);
  });
  const isForeign = (url: string) => !url.startsWith(studio.url) && !/^(?:data|blob):/.test(url);
  page.on('request', (request) => {
    if (isForeign(request.url())) problems.push(`request: ${request.url()}`);
  });
  // The link signs the browser in, and opens studio's own page.
  await page.goto(studio.link);
  await page.goto(`${studio.url}/dev-ui/`);
  return { page, studio, problems };
}
