import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

export type Theme = 'auto' | 'light' | 'dark';
const NEXT_THEME: Readonly<Record<Theme, Theme>> = { auto: 'light', light: 'dark', dark: 'auto' };

export function ThemeButton({ theme, set }: { readonly theme: Theme; set(theme: Theme): void }) {
  return (
    <button type="button" class="quiet" onClick={() => set(NEXT_THEME[theme])}>
      Theme: {theme}
    </button>
  );
}

/** A theme switch that lasts until the page is closed. */
export function PageTheme() {
  const [theme, setTheme] = useState<Theme>('auto');
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  return <ThemeButton theme={theme} set={setTheme} />;
}

export function Licences({ text, tabIndex }: { readonly text: string; readonly tabIndex?: number }) {
  return (
    <details>
      <summary>Licences of the software on this page</summary>
      <pre class="licences" tabIndex={tabIndex}>
        {text}
      </pre>
    </details>
  );
}

export function PaneIcon() {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path fill="currentColor" fill-rule="evenodd" d="M1 2h14v12H1zM2.500 3.500v9H8v-9z" />
    </svg>
  );
}

/** Moves the focus to the main element without changing the address, because that identifies the view. */
export function SkipLink({ to }: { readonly to: string }) {
  return (
    // biome-ignore lint/a11y/useValidAnchor: its target is on this page.
    <a
      class="skip"
      href="#main"
      onClick={(event) => {
        event.preventDefault();
        document.getElementById('main')?.focus();
      }}
    >
      Skip to {to}
    </a>
  );
}

/** A list of keyboard shortcuts. */
export function KeyList({ keys }: { readonly keys: readonly (readonly [keys: readonly string[], meaning: string])[] }) {
  return (
    <dl class="keys">
      {keys.map(([names, meaning]) => (
        <div key={meaning}>
          <dt>
            {names.map((name, place) => (
              <span key={name}>
                {place > 0 && <span class="unseen">, </span>}
                <kbd>{name}</kbd>
              </span>
            ))}
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A bar with links back to the list, and to the previous and the next case. */
export function WalkBar(props: {
  readonly backTo: string;
  readonly back: string;
  /** The zero-based position in the list, or -1 if the case is not in it. */
  readonly at: number;
  readonly of: number;
  /** More buttons. */
  readonly more?: ComponentChildren;
  /** Shown on the right. */
  readonly tools?: ComponentChildren;
  go(step: 1 | -1): void;
}) {
  const { at, of, go } = props;
  return (
    <nav class="walk" aria-label="Cases">
      <a href={props.backTo}>← {props.back}</a>
      {at >= 0 && (
        <span>
          {at + 1} of {of.toLocaleString('en')}
        </span>
      )}
      <span class="walk-buttons">
        <button type="button" disabled={at <= 0} onClick={() => go(-1)}>
          Previous
        </button>
        <button type="button" disabled={at >= of - 1} onClick={() => go(1)}>
          Next
        </button>
        {props.more}
      </span>
      {props.tools}
    </nav>
  );
}
