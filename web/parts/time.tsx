const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });
const today = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const thisYear = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});
const earlier = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** A moment in the reader's zone: short, and whole when pointed at. */
export function Time({ at }: { readonly at: string }) {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <span>{at}</span>;
  return (
    <time dateTime={at} title={full.format(date)}>
      {shortTime(date)}
    </time>
  );
}

export function shortTime(date: Date, now = new Date()): string {
  if (date.toDateString() === now.toDateString()) return today.format(date);
  return (date.getFullYear() === now.getFullYear() ? thisYear : earlier).format(date);
}
