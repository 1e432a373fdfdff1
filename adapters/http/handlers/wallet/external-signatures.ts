import { at } from '../../../../domain/foundation/errors.ts';
import type { Handlers } from '../../messages/operations.ts';
import { credentialView } from './credentials.ts';
import type { WalletServices } from './services.ts';

type Part = Partial<Handlers<'wallet-exchange'>>;

const PRESENTATION = {
  did: ['body', 'did'],
  link: ['body', 'presentationRequest'],
  selectedCredentials: ['body', 'selectedCredentialIdList'],
  submission: ['body', 'presentationSubmission'],
  signed: ['body', 'w3cJwtVpProof'],
};
const OFFER = {
  did: ['body', 'did'],
  link: ['body', 'offerURL'],
  txCode: ['body', 'pinOrTxCode'],
  handle: ['body', 'accessToken'],
  issuer: ['body', 'credentialIssuer'],
  proofs: ['body', 'offeredCredentialProofsOfPossession'],
};

/** The exchange with signatures from outside the wallet. */
export const externalSignatureHandlers = ({ external }: WalletServices) =>
  ({
    prepareExternalPresentation: async ({ walletId, body }) => {
      const { did, presentationRequest: link, selectedCredentialIdList } = body;
      const selection = { did, link, selectedCredentials: selectedCredentialIdList };
      const prepared = await at(PRESENTATION, () => external.presentations.prepare(walletId, selection));
      const { submission: presentationSubmission, token: w3CJwtVpProofParameters } = prepared;
      const stated = { did, presentationRequest: link, selectedCredentialIdList };
      return { status: 200, body: { ...stated, presentationSubmission, w3CJwtVpProofParameters } };
    },
    submitExternalPresentation: async ({ walletId, body }) => {
      const { did, presentationRequest: link, selectedCredentialIdList: selectedCredentials } = body;
      const { presentationSubmission: submission, w3cJwtVpProof: signed } = body;
      const answer = { did, link, selectedCredentials, submission, signed };
      return { status: 200, body: await at(PRESENTATION, () => external.presentations.submit(walletId, answer)) };
    },
    prepareExternalOffer: async ({ walletId, body }) => {
      const { did, offerURL, pinOrTxCode: txCode } = body;
      const prepared = await at(OFFER, () => external.issuance.prepare(walletId, { did, txCode, link: offerURL }));
      const offeredCredentialsProofRequests = prepared.proofs.map(({ offered, header, payload }) => ({
        offeredCredential: offered,
        proofOfPossessionParameters: { proofType: 'jwt' as const, header, payload },
      }));
      const { handle: accessToken, issuer: credentialIssuer } = prepared;
      const stated = { did: prepared.did, offerURL, accessToken, credentialIssuer };
      return { status: 200, body: { ...stated, offeredCredentialsProofRequests } };
    },
    submitExternalOffer: async ({ walletId, body }) => {
      const { did, offerURL: link, accessToken: handle, credentialIssuer: issuer } = body;
      const { requireUserInput = false, offeredCredentialProofsOfPossession: listed } = body;
      const proofs = listed.map(({ signedProofOfPossession }) => signedProofOfPossession);
      const answer = { did, link, handle, issuer, proofs, requireUserInput };
      const received = await at(OFFER, () => external.issuance.submit(walletId, answer));
      return { status: 200, body: received.map((credential) => credentialView(walletId, credential)) };
    },
  }) satisfies Part;
