/** A day as the reader's calendar has it, as a moment. */
export function startOfDay(day: string | undefined, daysLater = 0): string | undefined {
  if (day === undefined || day === '') return undefined;
  const date = new Date(`${day}T00:00:00`);
  date.setDate(date.getDate() + daysLater);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
