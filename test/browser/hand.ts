import type { Locator, Page } from 'playwright-core';

/** What a person does a page's work with. */
export interface Hand {
  /** Goes where something can be done with `target`. */
  reach(target: Locator): Promise<void>;
  /** Presses a button, a link, a fold or a tab. */
  press(target: Locator): Promise<void>;
  /** Puts a text in the place of what is in a field. */
  write(target: Locator, text: string): Promise<void>;
  /** Looks at something that tells more of itself. */
  look(target: Locator): Promise<void>;
}

export const byPointer = (_page: Page): Hand => ({
  reach: (target) => target.focus(),
  press: (target) => target.click(),
  write: (target, text) => target.fill(text),
  look: (target) => target.hover(),
});

export const byTouch = (_page: Page): Hand => ({
  reach: (target) => target.focus(),
  press: (target) => target.tap(),
  write: (target, text) => target.fill(text),
  look: (target) => target.tap(),
});

/** More stops than a page has. */
const STOPS = 150;

/** Nothing but keys: each target is reached with Tab, and among tabs with the arrows. */
export function byKeyboard(page: Page): Hand {
  const isAt = (target: Locator) => target.evaluate((element) => element === document.activeElement);
  const step = async (target: Locator, key: string) => {
    for (let stop = 0; stop < STOPS; stop += 1) {
      if (await isAt(target)) return;
      await page.keyboard.press(key);
    }
    throw new Error(`${key} never leads to ${target}.`);
  };
  const reach = async (target: Locator) => {
    await target.waitFor();
    if ((await target.getAttribute('role')) !== 'tab') return step(target, 'Tab');
    // One stop for all tabs of a list: the one that is chosen.
    const list = page.getByRole('tablist').filter({ has: target });
    await step(list.locator('[role="tab"][aria-selected="true"]'), 'Tab');
    await step(target, 'ArrowRight');
  };
  return {
    reach,
    press: async (target) => {
      await reach(target);
      await page.keyboard.press('Enter');
    },
    write: async (target, text) => {
      await reach(target);
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText(text);
    },
    look: reach,
  };
}
