/** The id by which a wallet names a delivery in notifications: of which session and item it was. */
export const notificationIdOf = (sessionId: string, item: number): string => `${sessionId}.${item}`;

/** The item of a notification id of this session. */
export function itemOfNotification(sessionId: string, notificationId: string): number | undefined {
  const item = Number(/^\d{1,9}$/.exec(notificationId.slice(sessionId.length + 1))?.[0] ?? Number.NaN);
  return notificationIdOf(sessionId, item) === notificationId ? item : undefined;
}
