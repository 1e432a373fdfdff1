import { makeIaca, offerPhotoId, PHOTO_ID } from '../actors/authority.ts';
import { type Issuer, offerProfile, type ProfileOffer } from '../actors/issuer.ts';
import { claimsOf, shorten } from '../actors/jws.ts';
import { askByDefinition, askByQuery, type Question, valueNamed } from '../actors/questions.ts';
import type { WalletUser } from '../actors/wallet-user.ts';
import { textOf } from '../http-client.ts';
import type { Narrator } from '../narrator.ts';
import type { Services } from '../services.ts';

/** The profile that is offered over OpenID4VCI 1.0: an SD-JWT VC. */
export const IDENTITY_PROFILE = 'IdentityCredential_dc-sd-jwt';

/** Who takes part in a story. */
export interface Cast {
  narrator: Narrator;
  services: Services;
  issuer: Issuer;
  wallet: WalletUser;
}

/** An identity card, how it was offered, and the question for it. */
export interface IdentityCard {
  offer: ProfileOffer;
  question: Question;
}

/** The wallet collects an SD-JWT VC and an mdoc, and shows one claim of each of its three formats, in both generations of OpenID4VP. */
export async function presentEveryFormat(cast: Cast): Promise<IdentityCard> {
  const card = await collectCard(cast);
  const photoId = await collectPhotoId(cast);
  await present(cast, [DEGREE, card.question, photoId]);
  return card;
}

const DEGREE: Question = {
  format: 'jwt_vc_json',
  id: 'degree',
  meta: { type_values: [['UniversityDegree']] },
  path: ['credentialSubject', 'degree'],
  jsonPath: '$.vc.credentialSubject.degree',
};

async function collectCard({ narrator, services, issuer, wallet }: Cast): Promise<IdentityCard> {
  narrator.title('The wallet collects an identity card (SD-JWT VC) and a photo ID (mdoc)');
  const offer = await offerProfile(services, issuer, IDENTITY_PROFILE);
  const { document } = await wallet.accept(offer.url, offer.txCode);
  narrator.say(`card      ${shorten(document)}`);
  const meta = { vct_values: [textOf(claimsOf(document), 'vct')] };
  const path = ['family_name'];
  return { offer, question: { format: 'dc+sd-jwt', id: 'card', meta, path, jsonPath: '$.family_name' } };
}

async function collectPhotoId({ narrator, services, wallet }: Cast): Promise<Question> {
  const authority = await makeIaca(services);
  const { document } = await wallet.accept(await offerPhotoId(services, authority));
  narrator.say(`photo ID  ${shorten(document)}, below the certificate of an authority`);
  const { docType, namespace } = PHOTO_ID;
  return {
    format: 'mso_mdoc',
    id: 'photo_id',
    docType,
    meta: { doctype_value: docType },
    path: [namespace, 'age_over_18'],
    jsonPath: `$['${namespace}']['age_over_18']`,
    authority: authority.certificatePEM,
  };
}

async function present({ narrator, services, wallet }: Cast, questions: Question[]): Promise<void> {
  narrator.title('It shows one claim of each, by presentation definition and by DCQL (OpenID4VP 1.0)');
  for (const question of questions)
    for (const put of [askByDefinition, askByQuery]) {
      const name = question.path.at(-1) ?? '';
      const { link, answered } = await put(services, question);
      const withheld = await wallet.answer(link);
      const { isVerified, seen } = await answered();
      const value = valueNamed(name, seen);
      const leaked = withheld.filter((other) => valueNamed(other, seen) !== undefined);
      if (!isVerified || value === undefined || leaked.length > 0)
        throw new Error(`The answer for ${question.format} is not as asked: ${JSON.stringify(seen)}`);
      const rest = withheld.length > 0 ? `withheld ${withheld.toSorted().join(', ')}` : 'it has no parts to withhold';
      narrator.say(`asked     ${question.format}: ${name}, by ${put === askByQuery ? 'DCQL' : 'definition'}`);
      narrator.say(`disclosed ${JSON.stringify({ [name]: value })}; ${rest}`);
      narrator.outcome('verified', true, 'true');
    }
}
