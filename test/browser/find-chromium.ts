import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Finds an installed Chromium: the one in `CHROMIUM_PATH`, in a usual location, or downloaded by Playwright. */
export function findChromium(environment: NodeJS.ProcessEnv): string | undefined {
  const { CHROMIUM_PATH: given, PLAYWRIGHT_BROWSERS_PATH: downloads } = environment;
  if (given) {
    if (!existsSync(given)) throw new Error(`CHROMIUM_PATH is ${given}: there is no such file.`);
    return given;
  }
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'];
  const usual = [
    ...['/usr/bin', '/usr/local/bin', '/snap/bin'].flatMap((folder) => names.map((name) => join(folder, name))),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    'C:/Program Files/Google/Chrome/Application/chrome.exe',
    'C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe',
  ];
  const caches = [
    ...(downloads ? [downloads] : []),
    ...['.cache', 'Library/Caches', 'AppData/Local'].map((folder) => join(homedir(), folder, 'ms-playwright')),
  ];
  return [...usual, ...caches.flatMap(downloaded)].find((file) => existsSync(file));
}

/** Lists the browsers that Playwright has downloaded, newest first. */
function downloaded(cache: string): string[] {
  if (!existsSync(cache)) return [];
  const builds = readdirSync(cache).filter((name) => name.startsWith('chromium-'));
  const programs = [
    ...['chrome-linux/chrome', 'chrome-linux64/chrome', 'chrome-win/chrome.exe', 'chrome-win64/chrome.exe'],
    'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
  ];
  return builds
    .sort()
    .reverse()
    .flatMap((build) => programs.map((program) => join(cache, build, program)));
}
