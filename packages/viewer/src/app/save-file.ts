/** Saves a file without opening it, whatever it contains. @param data Its bytes in base64, in either alphabet. */
export function saveFile(name: string, data: string): void {
  const signs = atob(data.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(signs, (sign) => sign.charCodeAt(0));
  // Browsers show some types in place of saving them.
  const address = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name.replace(/[\\/]/g, '_');
  link.click();
  // The browser reads the bytes after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
