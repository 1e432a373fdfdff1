import type { PortalPage } from './browser.ts';

/** The words of the page, its title and the names of its elements that are not marked as translated. */
export const wordsLeft = (page: PortalPage): Promise<string[]> =>
  page.evaluate(`(() => {
    const texts = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement, data } = walker.currentNode;
      if (parentElement.closest('noscript, code, [translate=no], [lang=en]') === null) texts.push(data);
    }
    for (const element of document.querySelectorAll('[aria-label], [alt], [title], [placeholder]'))
      for (const name of ['aria-label', 'alt', 'title', 'placeholder']) texts.push(element.getAttribute(name) ?? '');
    return texts.map((text) => text.replaceAll(/⟦.*?⟧/gs, '').trim()).filter((text) => /[a-z]{2}/i.test(text));
  })()`);
