import type { Locator, Page } from 'playwright-core';

/** The ways in which a person operates a page. */
export interface Hand {
  /** Moves to `target`, so that it can be operated. */
  reach(target: Locator): Promise<void>;
  /** Activates a button, link, fold or tab. */
  press(target: Locator): Promise<void>;
  /** Replaces the text in a field. */
  write(target: Locator, text: string): Promise<void>;
  /** Reveals more about an element, by hovering, tapping or moving the focus. */
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

/** The maximum number of tab stops to try, more than any page has. */
const STOPS = 150;

/** Uses only the keyboard: each target is reached with Tab, and within tab lists with the arrow keys. */
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
    // A tab list has a single tab stop: the selected tab.
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
