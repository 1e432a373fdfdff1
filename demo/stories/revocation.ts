import { changeStatus } from '../actors/issuer.ts';
import { askByQuery } from '../actors/questions.ts';
import { textOf } from '../http-client.ts';
import type { Cast, IdentityCard } from './formats.ts';

const CHANGES = [
  ['suspend', false],
  ['lift', true],
  ['revoke', false],
] as const;

/** The issuer suspends a card, lifts the suspension and revokes the card; each time a verifier looks at the status list. */
export async function withdrawCard(cast: Cast, { offer, question }: IdentityCard): Promise<void> {
  const { narrator, services, wallet } = cast;
  narrator.title('The card is lost, found and lost again: its issuer suspends, restores and revokes it');
  for (const [action, isGood] of CHANGES) {
    narrator.say(`${action.padEnd(9)} status ${await changeStatus(services, offer.session, action)}`);
    const { link, answered } = await askByQuery(services, question);
    await wallet.answer(link, { isRefused: !isGood });
    const { isVerified, seen } = await answered();
    if (isVerified !== isGood) throw new Error(`After ${action} the verification says ${isVerified}`);
    const why = isVerified ? '' : `, ${textOf(seen, 'reason')}`;
    narrator.outcome('verified', isVerified, `${isVerified}${why}`);
  }
}
