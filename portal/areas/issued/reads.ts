import type { Schemas } from '../../../client/client.ts';
import { nameOf, type OfferedCard } from '../../queries/offered.ts';
import { api, ask, type Outcome } from '../../shell/api.ts';
import { isState } from '../../shell/change-state.tsx';
import { officePage, work } from '../../shell/office.tsx';
import { place } from '../../shell/place.ts';
import { daysOf } from '../../shell/search.tsx';

export type Issued = Schemas['IssuedCredential'];

/** A page of what the unit in the address issued; the issuer in the address stays. */
export function issuedPage(page = 'issued', query: Record<string, string | undefined> = {}): string {
  const unit = place.value.path.split('/')[2] ?? '';
  return officePage(decodeURIComponent(unit), page, { service: place.value.query.service, ...query });
}

/** What the address asks for, as the operation takes it. */
function searchOf() {
  const { reference, recipient, type, state } = place.value.query;
  return { reference, recipient, type, state: isState(state) ? state : undefined, ...daysOf() };
}

/** Reads a page of what was found. */
export const readIssued = (target: string, wanted: { limit: string; offset: string }): Promise<Outcome<Issued[]>> => {
  const params = { path: { target }, query: { ...wanted, ...searchOf() } };
  return work(ask(api.GET('/v2/{target}/issuer-service-api/issued', { params })));
};

/** What the card is called in the reader's language, else its configuration. */
export const cardName = ({ credentialConfigurationId: id }: Issued, cards: readonly OfferedCard[]): string => {
  const card = cards.find((one) => one.id === id);
  return card ? nameOf(card) : id;
};
