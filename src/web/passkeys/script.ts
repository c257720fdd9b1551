/**
 * The script for passkeys, which only a script can request from an authenticator. It shows the forms that need one if
 * the browser supports passkeys, and submits them as usual, with the answer in a field.
 */
export const PASSKEYS_SCRIPT = `"use strict";
const able = Boolean(window.PublicKeyCredential?.parseRequestOptionsFromJSON);
const ask = async (form) => {
  const answer = await fetch("/passkeys/ask", { method: "POST", body: new URLSearchParams(new FormData(form)) });
  const asked = await answer.json();
  if (!answer.ok) throw new Error(asked.detail);
  const credential = form.elements.kind.value === "sign-in"
    ? await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(asked) })
    : await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(asked) });
  form.elements.answer.value = JSON.stringify(credential);
  HTMLFormElement.prototype.submit.call(form);
};
for (const form of document.querySelectorAll("form[data-passkey]")) {
  form.hidden = !able;
  const fault = form.querySelector("[role=alert]");
  const button = form.querySelector("button");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    fault.hidden = button.disabled = true;
    try {
      await ask(form);
    } catch (error) {
      fault.textContent = error.name === "NotAllowedError"
        ? "No passkey was used. Try again, or sign in another way."
        : error.name === "InvalidStateError" ? "This device has a passkey of yours already." : error.message;
      fault.hidden = button.disabled = false;
    }
    button.disabled = false;
  });
}
for (const hint of document.querySelectorAll("[data-no-passkey]")) hint.hidden = able;
`;
