-- What the models can't say: the team of what belongs to a conversation, a chain or a handoff is theirs.
ALTER TABLE session_handoffs ADD CONSTRAINT session_handoffs_conversation_id_same_team
    FOREIGN KEY (conversation_id, team_id) REFERENCES continuity_conversation (id, team_id)
    ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE session_handoffs ADD CONSTRAINT session_handoffs_chain_id_same_team
    FOREIGN KEY (chain_id, team_id) REFERENCES handoff_chains (id, team_id)
    ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE handoff_chains ADD CONSTRAINT handoff_chains_root_conversation_id_same_team
    FOREIGN KEY (root_conversation_id, team_id) REFERENCES continuity_conversation (id, team_id)
    ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE handoffs_resumption ADD CONSTRAINT handoffs_resumption_handoff_id_same_team
    FOREIGN KEY (handoff_id, team_id) REFERENCES session_handoffs (id, team_id)
    ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE handoffs_resumption ADD CONSTRAINT handoffs_resumption_conversation_id_same_team
    FOREIGN KEY (conversation_id, team_id) REFERENCES continuity_conversation (id, team_id)
    ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE handoffs_handoffedit ADD CONSTRAINT handoffs_handoffedit_handoff_id_same_team
    FOREIGN KEY (handoff_id, team_id) REFERENCES session_handoffs (id, team_id)
    ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE handoffs_handoffpolicy ADD CONSTRAINT handoffs_handoffpolicy_conversation_id_same_team
    FOREIGN KEY (conversation_id, team_id) REFERENCES continuity_conversation (id, team_id)
    ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE handoffs_receipt ADD CONSTRAINT handoffs_receipt_handoff_id_same_team
    FOREIGN KEY (handoff_id, team_id) REFERENCES session_handoffs (id, team_id)
    ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE handoffs_probebank ADD CONSTRAINT handoffs_probebank_conversation_id_same_team
    FOREIGN KEY (conversation_id, team_id) REFERENCES continuity_conversation (id, team_id)
    ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE handoffs_probecheckpoint ADD CONSTRAINT handoffs_probecheckpoint_conversation_id_same_team
    FOREIGN KEY (conversation_id, team_id) REFERENCES continuity_conversation (id, team_id)
    ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE handoffs_handoffoverride ADD CONSTRAINT handoffs_handoffoverride_handoff_id_same_team
    FOREIGN KEY (handoff_id, team_id) REFERENCES session_handoffs (id, team_id)
    ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE handoffs_offeranswer ADD CONSTRAINT handoffs_offeranswer_handoff_id_same_team
    FOREIGN KEY (handoff_id, team_id) REFERENCES session_handoffs (id, team_id)
    ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
