export function PaneIcon() {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path fill="currentColor" fill-rule="evenodd" d="M1 2h14v12H1zM2.500 3.500v9H8v-9z" />
    </svg>
  );
}
