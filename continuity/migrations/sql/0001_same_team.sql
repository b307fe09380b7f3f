-- What the models can't say: a child's team is its conversation's.
ALTER TABLE continuity_message ADD CONSTRAINT continuity_message_conversation_id_same_team
    FOREIGN KEY (conversation_id, team_id) REFERENCES continuity_conversation (id, team_id)
    ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE continuity_anchor ADD CONSTRAINT continuity_anchor_conversation_id_same_team
    FOREIGN KEY (conversation_id, team_id) REFERENCES continuity_conversation (id, team_id)
    ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE continuity_task ADD CONSTRAINT continuity_task_conversation_id_same_team
    FOREIGN KEY (conversation_id, team_id) REFERENCES continuity_conversation (id, team_id)
    ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE continuity_filetouch ADD CONSTRAINT continuity_filetouch_conversation_id_same_team
    FOREIGN KEY (conversation_id, team_id) REFERENCES continuity_conversation (id, team_id)
    ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE continuity_foldstate ADD CONSTRAINT continuity_foldstate_conversation_id_same_team
    FOREIGN KEY (conversation_id, team_id) REFERENCES continuity_conversation (id, team_id)
    ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE continuity_foldcheckpoint ADD CONSTRAINT continuity_foldcheckpoint_conversation_id_same_team
    FOREIGN KEY (conversation_id, team_id) REFERENCES continuity_conversation (id, team_id)
    ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE continuity_segment ADD CONSTRAINT continuity_segment_conversation_id_same_team
    FOREIGN KEY (conversation_id, team_id) REFERENCES continuity_conversation (id, team_id)
    ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE continuity_modelpass ADD CONSTRAINT continuity_modelpass_conversation_id_same_team
    FOREIGN KEY (conversation_id, team_id) REFERENCES continuity_conversation (id, team_id)
    ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE continuity_cleanup ADD CONSTRAINT continuity_cleanup_conversation_id_same_team
    FOREIGN KEY (conversation_id, team_id) REFERENCES continuity_conversation (id, team_id)
    ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
