import { useEffect, useState } from 'preact/hooks';

/** A button that copies a string and shows whether that worked. */
export function CopyButton(props: {
  readonly name: string;
  /** The accessible name. Default: `name`. */
  readonly label?: string | undefined;
  readonly title?: string | undefined;
  readonly class?: string | undefined;
  text(): string;
}) {
  const { name, label, title, text } = props;
  const [copied, setCopied] = useState<boolean | null>(null);
  useEffect(() => {
    if (copied === null) return;
    const timer = setTimeout(() => setCopied(null), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <button
      type="button"
      class={`quiet copy ${props.class ?? ''}`}
      aria-label={copied === null ? label : undefined}
      title={title}
      onClick={async () => setCopied(await copy(text()))}
    >
      <span aria-live="polite">{copied === null ? name : copied ? 'Copied' : 'Not copied'}</span>
    </button>
  );
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Insecure pages, and frames without permission, need the older API below.
  }
  const give = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
  };
  addEventListener('copy', give);
  try {
    return document.execCommand('copy');
  } finally {
    removeEventListener('copy', give);
  }
}
